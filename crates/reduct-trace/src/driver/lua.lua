-- Runs a Lua program under a plan: only the statement executions that the plan names are executed.
--
-- Run by `lua -e` before the program. The files of the program are given guards when they are loaded: see guards/lua.rs of
-- reduct-grammars. The guard names an execution by the one that it belongs to, the statement, and how often that came before within it:
-- the execution index of Xin, Sumner and Zhang (PLDI 2008). Lua loads the main program itself, from a file that is written here: the
-- guarded program, compiled under its own name.
local own, script = ...

local io_open, io_popen, stderr, exit, remove = io.open, io.popen, io.stderr, os.exit, os.remove
local pack, unpack, sort, type, tostring, pcall = table.pack, table.unpack, table.sort, type, tostring, pcall
local gsub, sub, format, string_pack, byte = string.gsub, string.sub, string.format, string.pack, string.byte
local setmetatable, getmetatable, rawget, select, next = setmetatable, getmetatable, rawget, select, next
local ipairs, pairs, concat, error, tonumber, find = ipairs, pairs, table.concat, error, tonumber, string.find
local load, loadfile, dump, utf8_len, math_type = load, loadfile, string.dump, utf8 and utf8.len, math.type
local getlocal, getupvalue = debug.getlocal, debug.getupvalue
local getinfo, running, yield = debug.getinfo, coroutine.running, coroutine.yield

local UNRESOLVED = 125
-- What an execution is if it is a part of the one that it belongs to, or is left out.
local PART, SKIPPED = -1, -2
-- Of a value, so many characters are kept, and of a table so many fields.
local LONGEST_VALUE, MOST_FIELDS, DEEPEST_VALUE = 200, 20, 2

local function give_up(why)
    stderr:write("reduct step: ", why, "\n")
    exit(UNRESOLVED)
end

if _VERSION ~= "Lua 5.4" then
    give_up("programs are run by Lua 5.4, this is " .. tostring(_VERSION))
end

local function read(path)
    local file = io_open(path, "rb")
    local text = file and file:read("a")
    if file then
        file:close()
    end
    return text
end

-- What the driver is told, as records that end with a NUL: a word, and what belongs to it.
local told, into, packages, guarded, places, known, kept, depths = {}, {}, {}, {}, {}, {}, {}, { [0] = 0 }
local known_of = {}
-- The executions before which variables are looked at, and the names of these.
local looked = nil
do
    local file = io_open(own .. "/instructions", "rb")
    for word, rest in file:read("a"):gmatch("(%l+) ([^%z]*)%z") do
        if word == "into" then
            into[#into + 1] = rest
        elseif word == "guarded" then
            local number, name = rest:match("^(%d+) (.*)$")
            local path = own .. "/" .. number .. ".guarded"
            guarded[name] = read(path)
            remove(path)
        elseif word == "place" then
            places[#places + 1] = rest
        elseif word == "known" then
            known_of[#known_of + 1] = rest
        elseif word == "read" then
            local time, names = rest:match("^(%d+) ?(.*)$")
            looked = looked or {}
            looked[tonumber(time)] = names
        else
            told[word] = rest
        end
    end
    file:close()
end

-- The statements, by line, which one on it, and file.
local statements, statement_count = {}, 0
local function number_of(key)
    local number = statements[key]
    if not number then
        statement_count = statement_count + 1
        number = statement_count
        statements[key] = number
    end
    return number
end

-- Executions by what they belong to and the statement, then by the count.
local function pair_of(parent, statement)
    return parent * 0x200000 + statement
end

local has_plan = told.plan ~= nil
if has_plan then
    local numbers = {}
    for at, place in ipairs(places) do
        numbers[at] = number_of(place)
    end
    for _, record in ipairs(known_of) do
        local parent, place, count, time, is_kept = record:match("^(%d+) (%d+) (%d+) (%d+) (%d)$")
        parent, time = tonumber(parent), tonumber(time)
        local pair = pair_of(parent, numbers[tonumber(place)])
        known[pair] = known[pair] or {}
        known[pair][tonumber(count)] = time
        kept[time] = is_kept == "1"
        depths[time] = (depths[parent] or 0) + 1
    end
    known_of, places = nil, nil
end

local counts = {}
-- If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken.
local below, taken = tonumber(told.below) or math.maxinteger, tonumber(told.taken) or 0
local now, executed, seen = 0, taken, 0
-- After a call that has taken the place of a function: what was under way when that was called.
local dropped = nil
local deepest = tonumber(told.deepest) or math.maxinteger
local limit = tonumber(told.limit) or math.maxinteger
local most = tonumber(told.most) or 0

-- A file in which all that is written stays if the program dies.
local function created(path)
    local file = io_open(path, "wb")
    file:setvbuf("no")
    return file
end

-- What is executed: of each, what it belongs to and its statement. As long as the head says nothing, all of the file counts.
local record = told.record and created(told.record)
local per_depth = {}
if record then
    record:write(string_pack("<i8i8", -1, -1))
end

local function add(depth, parent, statement)
    per_depth[depth] = (per_depth[depth] or 0) + 1
    if executed - taken <= most then
        record:write(string_pack("<i4i4", parent, statement))
    elseif executed - taken == most + 1 then
        record:seek("set", 0)
        record:write(string_pack("<i8i8", most, executed - taken))
    end
end

-- What was written for this run is read: nobody else removes it if the program never ends by itself.
local function remove_main()
    remove(own .. "/main")
    remove(own)
end

local function finish()
    remove_main()
    if not record then return end
    if executed - taken > most then
        record:seek("set", 0)
        record:write(string_pack("<i8i8", most, executed - taken))
    end
    local list, last = {}, 0
    for depth in pairs(per_depth) do
        last = depth > last and depth or last
    end
    for depth = 0, last do
        list[#list + 1] = tostring(per_depth[depth] or 0)
    end
    local file = created(told.record .. ".depths")
    file:write("[" .. concat(list, ",") .. "]\n")
    file:close()
    record:close()
    record = nil
end

local values = told.values and created(told.values)
local descriptions = (told.record or told.values) and created((told.record or told.values) .. ".statements")

-- Strings of JSON.
local function json(text)
    if not utf8_len(text) then
        text = gsub(text, "[\128-\255]", "?")
    end
    return '"' .. gsub(text, '[%c"\\\127]', function(it) return format("\\u%04x", byte(it)) end) .. '"'
end

local order

local function shown(it, depth)
    local kind = type(it)
    if kind == "string" then
        return '"' .. gsub(gsub(sub(it, 1, LONGEST_VALUE), '[\\"]', "\\%0"), "\n", "\\n") .. '"'
    elseif kind == "number" or kind == "nil" or kind == "boolean" then
        return tostring(it)
    elseif kind ~= "table" then
        return "<" .. kind .. ">"
    elseif depth == DEEPEST_VALUE then
        return "{...}"
    end
    local parts, keys, listed = {}, order(it), getmetatable(it) == nil and #it or 0
    for at, key in ipairs(keys) do
        if at > MOST_FIELDS then
            parts[#parts + 1] = "..."
            break
        end
        local value = shown(rawget(it, key), depth + 1)
        if math_type(key) == "integer" and key == at and at <= listed then
            parts[#parts + 1] = value
        elseif type(key) == "string" and find(key, "^[%a_][%w_]*$") then
            parts[#parts + 1] = key .. " = " .. value
        else
            parts[#parts + 1] = "[" .. shown(key, depth + 1) .. "] = " .. value
        end
    end
    return "{" .. concat(parts, ", ") .. "}"
end

local function note(frame, depth, ...)
    local execution = frame[depth + 1]
    if not values or not (execution and execution > 0) then return end
    local parts, given = {}, pack(...)
    for at = 1, given.n, 2 do
        local ok, text = pcall(shown, given[at + 1], 0)
        if ok then
            parts[#parts + 1] = json(given[at]) .. ":" .. json(sub(text, 1, LONGEST_VALUE))
        end
    end
    values:write("[" .. execution .. ",{" .. concat(parts, ",") .. "}]\n")
end

-- Returns whether this execution of a statement is executed.
local function guard(frame, statement, depth)
    -- Modules execute all that is in no function when they are loaded, as imports do.
    if frame.is_module then return true end
    local parent = depth > 0 and frame[depth] or frame.base
    if parent == SKIPPED then
        frame[depth + 1] = SKIPPED
        return false
    end
    seen = seen + 1
    if seen > limit then
        give_up("more was executed than could be: the plan makes a loop longer")
    end
    local execution = PART
    if parent >= 0 and depths[parent] < deepest then
        local pair = pair_of(parent, statement)
        local count = counts[pair] or 0
        counts[pair] = count + 1
        if has_plan and depths[parent] < below then
            local of_pair = known[pair]
            execution = of_pair and of_pair[count]
            if not execution then
                give_up("something is executed that was not when it was recorded")
            end
            if not kept[execution] then
                frame[depth + 1] = SKIPPED
                return false
            end
        else
            executed = executed + 1
            execution = executed
            depths[execution] = depths[parent] + 1
            if record then
                add(depths[execution], parent, statement)
            end
        end
    end
    frame[depth + 1] = execution
    now, dropped = execution, nil
    return true
end

-- Returns the value of a variable of the function that is so many calls up.
local function variable(level, name)
    local value, is_there
    local env = _G
    local at, of, it = 1, getlocal(level + 1, 1)
    while of do
        if of == name then value, is_there = it, true end
        at = at + 1
        of, it = getlocal(level + 1, at)
    end
    if is_there then return value end
    local body = getinfo(level + 1, "f").func
    at, of, it = 1, getupvalue(body, 1)
    while of do
        if of == name then return it end
        if of == "_ENV" then env = it end
        at = at + 1
        of, it = getupvalue(body, at)
    end
    return rawget(env, name)
end

-- Notes the values of what a statement reads, before it is executed. It is of the function that is so many calls up.
local function note_read(execution, level)
    local parts = {}
    for name in looked[execution]:gmatch("%S+") do
        local ok, text, known = pcall(function()
            local fields = name:gmatch("[^.]+")
            local known = fields()
            -- This function, and what calls it, are between.
            local it = variable(level + 3, known)
            for field in fields do
                -- What has no fields is told by its own name.
                if it == nil then break end
                it, known = rawget(it, field), known .. "." .. field
            end
            return type(it) ~= "function" and shown(it, 0), known
        end)
        if ok and text then
            parts[#parts + 1] = json(known) .. ":" .. json(sub(text, 1, LONGEST_VALUE))
        end
    end
    values:write("[" .. execution .. ",{},{" .. concat(parts, ",") .. "}]\n")
end

-- What a function belongs to: the execution that is under way. `back` is what is under way when it has returned.
local function entered(numbers)
    local base, back, later = now, now, nil
    if dropped then
        local this, caller = getinfo(2, "t"), getinfo(3, "St")
        if this.istailcall then
            back = dropped
        elseif caller and caller.what == "C" then
            -- What is in the place of a function may be the caller, a function of C: what follows is as it was.
            later = dropped
        elseif not (caller and caller.istailcall) then
            base, back = dropped, dropped
        end
        dropped = nil
        now = base
    end
    return { base = base, back = back, dropped = later, numbers = numbers }
end

local function leave(frame, ...)
    now, dropped = frame.back, frame.dropped
    return ...
end

-- A call takes the place of this function: what it calls belongs to its statement, and what follows to what called it.
local function take(frame, ...)
    if not frame.is_module then
        dropped = frame.back
    end
    return ...
end

local function all(list)
    if list then
        return unpack(list, 1, list.n)
    end
end

local function again(frame, depth)
    if not frame.is_module then
        now = frame[depth + 1] or frame.base
    end
end

-- Paths: a name within the current folder, and without dots.
local here = told.here
local function absolute(path)
    local whole = sub(path, 1, 1) == "/" and path or here .. "/" .. path
    local parts = {}
    for part in whole:gmatch("[^/]+") do
        if part == ".." then
            parts[#parts] = nil
        elseif part ~= "." then
            parts[#parts + 1] = part
        end
    end
    return "/" .. concat(parts, "/")
end

for at, path in ipairs(into) do
    into[at] = absolute(path)
end

-- A path as the plan has it: below the current folder, it is relative.
local function called(path)
    local folder = here == "/" and "/" or here .. "/"
    return sub(path, 1, #folder) == folder and sub(path, #folder + 1) or path
end

-- A folder that is named counts, even if it is one of packages.
local function is_looked_into(path)
    local best = nil
    for _, folder in ipairs(into) do
        if folder == path then
            return true
        end
        local within = folder == "/" and "/" or folder .. "/"
        if sub(path, 1, #within) == within and (not best or #within > best) then
            best = #within
        end
    end
    local rest = best and "/" .. sub(path, best + 1)
    return rest and not (find(rest, "/lua_modules/", 1, true) or find(rest, "/.luarocks/", 1, true))
end

local is_main = true
-- What a file with guards begins with: the functions that its guards call.
string.__reduct = function(path, keys, about)
    local name, numbers = called(path), {}
    for at, key in ipairs(keys) do
        numbers[at - 1] = number_of(key .. " " .. name)
        if descriptions then
            descriptions:write("[" .. numbers[at - 1] .. "," .. json(name) .. "," .. about[at] .. "]\n")
        end
    end
    local is_module = not is_main
    is_main = false
    return {
        k = function(frame, number, depth)
            if not looked then return guard(frame, numbers[number], depth) end
            local is_executed = guard(frame, numbers[number], depth)
            local execution = frame[depth + 1]
            if is_executed and values and execution and looked[execution] then note_read(execution, 2) end
            return is_executed
        end,
        v = note, c = again, u = all, p = pack, t = take, leave = leave,
        enter = entered,
        top = function() return { base = now, back = now, is_module = is_module } end,
    }
end

local function quoted(word)
    return "'" .. gsub(word, "'", "'\\''") .. "'"
end

-- Returns the text of a file with guards, if it can have them.
local function with_guards(path)
    local whole = absolute(path)
    if not is_looked_into(whole) then
        return nil
    end
    local of = guarded[called(whole)]
    if of then
        return of
    end
    if not told.guards then
        return nil
    end
    local words = "REDUCT_CONFINE=off " .. quoted(told.guards) .. " step " .. quoted(whole) .. " --guards -- lua 2>/dev/null"
    local pipe = io_popen(words, "r")
    local text = pipe:read("a")
    pipe:close()
    return text ~= "" and text or nil
end

-- Returns the chunk of a file, with guards if it can have them; nothing if Lua should load it itself.
local function guarded_chunk(path, ...)
    local text = with_guards(path)
    if not text then
        return nil
    end
    -- As Lua does with a first line that begins with a sign.
    text = gsub(gsub(text, "^\xef\xbb\xbf", ""), "^#[^\n]*", "")
    return load(text, "@" .. path, "t", ...)
end

-- What stands in the place of functions of Lua has no lines, as those have none.
local function without_lines(it)
    local bare = load(dump(it, true), "=[C]", "b")
    local at = 1
    while debug.getupvalue(it, at) do
        debug.upvaluejoin(bare, at, it, at)
        at = at + 1
    end
    return bare
end

local function restored(was, was_dropped, ...)
    now, dropped = was, was_dropped
    return ...
end

local of_lua = { pcall = pcall, xpcall = xpcall, resume = coroutine.resume, create = coroutine.create, wrap = coroutine.wrap,
    loadfile = loadfile, exit = os.exit, next = next, pairs = pairs, searcher = package.searchers[2], searchpath = package.searchpath }

_G.pcall = without_lines(function(...) return restored(now, dropped, of_lua.pcall(...)) end)
_G.xpcall = without_lines(function(...) return restored(now, dropped, of_lua.xpcall(...)) end)
coroutine.resume = without_lines(function(...) return restored(now, dropped, of_lua.resume(...)) end)

-- What a coroutine goes on with, and what it came from.
local came_from = setmetatable({}, { __mode = "k" })
local function ended(...)
    now, dropped = came_from[running()] or now, nil
    return ...
end
local begun = without_lines(function(body)
    return function(...)
        came_from[running()] = now
        return ended(body(...))
    end
end)
local function woken(was, was_dropped, ...)
    came_from[running()] = now
    now, dropped = was, was_dropped
    return ...
end
coroutine.create = without_lines(function(body, ...)
    return of_lua.create(type(body) == "function" and begun(body) or body, ...)
end)
coroutine.wrap = without_lines(function(body, ...)
    return of_lua.wrap(type(body) == "function" and begun(body) or body, ...)
end)
coroutine.yield = without_lines(function(...)
    local was, was_dropped = now, dropped
    now, dropped = came_from[running()] or now, nil
    return woken(was, was_dropped, yield(...))
end)

os.exit = without_lines(function(...)
    finish()
    return of_lua.exit(...)
end)

-- Lua visits the fields of a table in another order each time: the driver has it visit numbers first, then strings, by their order.
local ranks = { number = 1, string = 2, boolean = 3 }
local function precedes(a, b)
    local of_a, of_b = ranks[type(a)], ranks[type(b)]
    if of_a ~= of_b then
        return of_a < of_b
    end
    if of_a == 3 then
        return not a and b
    end
    return a < b
end

-- Returns the keys of a table in the order of visits, and how many of them have an order.
function order(list)
    local keys, others = {}, {}
    for key in of_lua.next, list do
        if ranks[type(key)] then
            keys[#keys + 1] = key
        else
            others[#others + 1] = key
        end
    end
    -- What is in order already is left so.
    for at = 2, #keys do
        if not precedes(keys[at - 1], keys[at]) then
            sort(keys, precedes)
            break
        end
    end
    local ordered = #keys
    for _, key in of_lua.next, others do
        keys[#keys + 1] = key
    end
    return keys, ordered
end

local visits = setmetatable({}, { __mode = "k" })
local function visit_of(list)
    local keys, ordered = order(list)
    local visit = { keys = keys, ordered = ordered, at = {} }
    for number, key in ipairs(keys) do
        visit.at[key] = number
    end
    visits[list] = visit
    return visit
end

-- How many keys of a visit come before one that has been removed since, and is not among them.
local function before(visit, key)
    local low, high = 0, visit.ordered
    while low < high do
        local middle = (low + high + 1) // 2
        if precedes(visit.keys[middle], key) then
            low = middle
        else
            high = middle - 1
        end
    end
    return low
end

local function following(list, key)
    if type(list) ~= "table" then
        return of_lua.next(list, key)
    end
    local visit, at = visits[list], 0
    if key == nil then
        if of_lua.next(list) == nil then
            return nil
        end
        visit = visit_of(list)
    else
        if not visit or not visit.at[key] and rawget(list, key) ~= nil then
            visit = visit_of(list)
        end
        at = visit.at[key]
    end
    if not at then
        -- Another visit has begun within one that has removed this key. Lua says if the table never had it.
        local after = of_lua.next(list, key)
        if not ranks[type(key)] then
            while after ~= nil and ranks[type(after)] do
                after = of_lua.next(list, after)
            end
            if after == nil then
                return nil
            end
            return after, rawget(list, after)
        end
        at = before(visit, key)
    end
    repeat
        at = at + 1
        key = visit.keys[at]
        if key == nil then
            return nil
        end
    until rawget(list, key) ~= nil
    return key, rawget(list, key)
end
local visited = without_lines(following)
_G.next = visited
_G.pairs = without_lines(function(list, ...)
    local of = getmetatable(list)
    if type(list) ~= "table" or type(of) == "table" and rawget(of, "__pairs") ~= nil or type(of) ~= "table" and of ~= nil then
        return of_lua.pairs(list, ...)
    end
    return visited, list, nil
end)

_G.loadfile = without_lines(function(path, ...)
    if type(path) == "string" and select("#", ...) == 0 then
        local chunk = guarded_chunk(path)
        if chunk then
            return chunk
        end
    end
    return of_lua.loadfile(path, ...)
end)
local file_of = _G.loadfile
_G.dofile = without_lines(function(...)
    local chunk, why = file_of(...)
    if not chunk then
        error(why, 0)
    end
    return chunk()
end)
package.searchers[2] = without_lines(function(name)
    local path = of_lua.searchpath(name, package.path)
    local chunk = path and guarded_chunk(path)
    if chunk then
        return chunk, path
    end
    return of_lua.searcher(name)
end)

-- At the end of the program, and if it dies of an error.
told.sentinel = setmetatable({}, { __gc = finish, __metatable = true })
debug.getregistry()[told.sentinel] = true

-- The main program, under its own name.
local chunk = guarded_chunk(script)
local why
if not chunk then
    is_main = false
    chunk, why = of_lua.loadfile(script)
end
if not chunk then
    local first = 0
    while arg[first - 1] do
        first = first - 1
    end
    stderr:write(arg[first], ": ", why, "\n")
    exit(1)
end
do
    local file = io_open(own .. "/main", "wb")
    file:write(dump(chunk))
    file:close()
end

-- The words of the command are those of the program.
local words, at = { [0] = script }, -1
for number, word in of_lua.next, arg do
    if number > 0 then
        words[number] = word
    end
end
-- Two of those before it are the driver's.
while arg[at - 2] do
    words[at] = arg[at - 2]
    at = at - 1
end
_G.arg = words

remove(own .. "/instructions")
remove(own .. "/driver.lua")
-- Lua reads the main program after this.
local begins = string.__reduct
string.__reduct = function(...)
    string.__reduct = begins
    remove_main()
    return begins(...)
end
