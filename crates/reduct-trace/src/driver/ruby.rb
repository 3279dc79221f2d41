# Runs a Ruby program under a plan: only the statement executions that the plan names are executed.
#
# Run in place of the program: ruby driver.rb PROGRAM ARGUMENT... Each file of the program is given guards when it is loaded: see
# guards/ruby.rs of reduct-grammars. The guard names an execution by the one that it belongs to, the statement, and how often that came
# before within it: the execution index of Xin, Sumner and Zhang (PLDI 2008).
class ReductStep
  DRIVER = __FILE__
  UNRESOLVED = 125
  # What an execution is if it is a part of the one that it belongs to, or is left out.
  PART = -1
  SKIPPED = -2
  LONGEST_VALUE = 200
  MOST_FIELDS = 20
  DEEPEST_VALUE = 2

  # An activation of a method or a block, and the executions that are under way in it, by their depth.
  Frame = ::Struct.new(:base, :numbers, :under, :is_main)

  attr_reader :script

  def initialize(own, script)
    @script = script
    @told = {}
    @into, places, known = [], [], []
    @guarded, @statements, @numbers, @known, @kept, @counts = {}, {}, {}, {}, {}, {}
    @depths, @per_depth = [0], []
    # The executions before which variables are looked at, and the names of these.
    @looked = {}
    @now = @seen = 0
    @main = ::Thread.current
    @is_child = false
    ::File.binread("#{own}/instructions").split("\0").each do |record|
      word, rest = record.split(" ", 2)
      case word
      when "into" then @into << real(rest)
      when "guarded"
        number, name = rest.split(" ", 2)
        @guarded[name] = ::File.read("#{own}/#{number}.guarded", encoding: "UTF-8")
        ::File.unlink("#{own}/#{number}.guarded")
      when "place" then places << rest
      when "known" then known << rest
      when "read"
        time, *names = rest.split(" ")
        @looked[time.to_i] = names
      else @told[word] = rest
      end
    end
    @into.compact!
    @deepest = @told["deepest"] ? @told["deepest"].to_i : ::Float::INFINITY
    @limit = @told["limit"] ? @told["limit"].to_i : ::Float::INFINITY
    @most = @told["most"].to_i
    # If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken.
    @below = @told["below"] ? @told["below"].to_i : ::Float::INFINITY
    @taken = @executed = @told["taken"].to_i
    @has_plan = @told.key?("plan")
    read_plan(places, known) if @has_plan
    open_files(own)
  end

  def read_plan(places, known)
    numbers = places.map { |place| number_of(place) }
    known.each do |record|
      parent, place, count, time, is_kept = record.split(" ").map(&:to_i)
      (@known[parent << 21 | numbers[place - 1]] ||= {})[count] = time
      @kept[time] = true if is_kept == 1
      @depths[time] = (@depths[parent] || 0) + 1
    end
  end

  # What is written stays where it is if the program dies. As long as the head says nothing, all of the file counts.
  def open_files(own)
    if @told["record"]
      @record = created(@told["record"])
      @record.write([-1, -1].pack("q<q<"))
    end
    @values = created(@told["values"]) if @told["values"]
    beside = @told["record"] || @told["values"]
    @descriptions = created("#{beside}.statements") if beside
    %w[instructions driver.rb].each { |name| ::File.unlink("#{own}/#{name}") }
    begin
      ::Dir.rmdir(own)
    rescue ::SystemCallError
      # The values are in there.
    end
  end

  def created(path)
    file = ::File.open(path, "wb")
    file.sync = true
    file
  end

  def real(path)
    ::File.realpath(path)
  rescue ::SystemCallError
    nil
  end

  def give_up(why)
    ::STDERR.syswrite("reduct step: #{why}\n")
    ::Process.exit!(UNRESOLVED)
  end

  def number_of(key)
    @statements[key] ||= @statements.size + 1
  end

  def add(depth, parent, statement)
    @per_depth[depth] = (@per_depth[depth] || 0) + 1
    if @executed - @taken <= @most
      @record.write([parent, statement].pack("l<l<"))
    elsif @executed - @taken == @most + 1
      head
    end
  end

  def head
    @record.seek(0)
    @record.write([@most, @executed - @taken].pack("q<q<"))
  end

  def finish
    return if !@record || @is_child
    head if @executed - @taken > @most
    ::File.write("#{@told["record"]}.depths", "[#{@per_depth.map { |count| count || 0 }.join(",")}]\n")
  end

  # Processes that are made are executed as a part of what makes them.
  def in_child
    @is_child = true
  end

  # Returns whether this execution of a statement is executed.
  def k(frame, number, depth, scope = nil)
    # What other threads and processes execute is a part of what makes them.
    return true if frame.numbers.nil? || @is_child || !@main.equal?(::Thread.current)
    statement = frame.numbers[number]
    under = frame.under
    parent = depth > 0 ? under[depth - 1] || frame.base : frame.base
    @seen += 1
    give_up("more was executed than could be: the plan makes a loop longer") if @seen > @limit
    execution = PART
    if parent >= 0 && @depths[parent] < @deepest
      pair = parent << 21 | statement
      count = @counts[pair] || 0
      @counts[pair] = count + 1
      if @has_plan && @depths[parent] < @below
        of_pair = @known[pair]
        execution = of_pair && of_pair[count]
        give_up("something is executed that was not when it was recorded") unless execution
        unless @kept[execution]
          under[depth] = SKIPPED
          return false
        end
      else
        execution = @executed += 1
        @depths[execution] = @depths[parent] + 1
        add(@depths[execution], parent, statement) if @record
      end
    end
    under[depth] = execution
    @now = execution
    note_read(execution, scope) if scope && @looked.key?(execution)
    true
  end

  # Notes the values of what a statement reads, before it is executed.
  def note_read(execution, scope)
    shown = @looked[execution].filter_map do |name|
      known, it = value_of(name, scope)
      "#{json(known)}:#{json(shown(it, 0)[0, LONGEST_VALUE])}" if known
    end
    @values.write("[#{execution},{},{#{shown.join(",")}}]\n") if @values
  end

  NOTHING = ::Object.new

  # Returns a name and its value where a statement stands, without a call of the program. What has no fields is told by its own name.
  def value_of(name, scope)
    first, *fields = name.split(".")
    it =
      if first == "self" then scope.receiver
      elsif first.start_with?("@@", "$") then scope.eval(first)
      elsif first.start_with?("@") then ivar(scope.receiver, first)
      elsif scope.local_variable_defined?(first) then scope.local_variable_get(first)
      else field_of(scope.receiver, first)
      end
    known = first
    fields.each do |field|
      break if nil.equal?(it) || NOTHING.equal?(it)
      known, it = "#{known}.#{field}", field_of(it, field)
    end
    NOTHING.equal?(it) ? nil : [known, it]
  rescue ::StandardError
    nil
  end

  # Returns a field that an `attr_reader` or a structure gives.
  def field_of(it, name)
    return ::Struct.instance_method(:[]).bind_call(it, name) if ::Struct === it && it.members.include?(name.to_sym)
    method = ::Kernel.instance_method(:method).bind_call(it, name)
    # It has a place in a file, and does nothing but that.
    is_reader = method.arity == 0 && method.source_location && !::RubyVM::InstructionSequence.of(method)
    is_reader ? ivar(it, "@#{method.original_name}") : NOTHING
  end

  def ivar(it, name)
    ::Kernel.instance_method(:instance_variable_get).bind_call(it, name)
  end

  def enter(path)
    return Frame.new(PART, nil, nil, false) unless @main.equal?(::Thread.current)
    Frame.new(@now, @numbers[path], [], false)
  end

  def leave(frame)
    @now = frame.base if frame.under
  end

  # What follows belongs to the execution at this depth again.
  def c(frame, depth)
    @now = depth < 0 ? frame.base : frame.under[depth] || frame.base if frame.under
  end

  # Notes what a statement has assigned, and returns its value.
  def v(frame, depth, value, *names)
    execution = frame.under && frame.under[depth]
    if @values && !@is_child && execution && execution > 0
      shown = []
      names.each_slice(2) { |name, it| shown << "#{json(name)}:#{json(shown(it, 0)[0, LONGEST_VALUE])}" }
      @values.write("[#{execution},{#{shown.join(",")}}]\n")
    end
    value
  end

  # Leaves the main program, as `return` does.
  def stop(frame)
    ::Kernel.throw(:reduct_main) if frame.is_main
  end

  # Returns a folder as an absolute path.
  def folder(path)
    path && ::File.expand_path(path, @told["here"])
  end

  # Shows a value without a call of the program's methods.
  def shown(it, depth)
    case it
    when ::String then text(it)
    when ::Integer, ::Float, ::Symbol, ::NilClass, ::TrueClass, ::FalseClass, ::Rational, ::Complex then it.inspect
    when ::Range then "#{shown(it.begin, depth)}#{it.exclude_end? ? "..." : ".."}#{shown(it.end, depth)}"
    when ::Module then ::Module.instance_method(:name).bind_call(it) || "#<Class>"
    when ::Array
      return "[...]" if depth == DEEPEST_VALUE
      parts = it.first(MOST_FIELDS).map { |one| shown(one, depth + 1) }
      parts << "..." if it.size > MOST_FIELDS
      "[#{parts.join(", ")}]"
    when ::Hash
      return "{...}" if depth == DEEPEST_VALUE
      parts = it.first(MOST_FIELDS).map { |key, one| "#{shown(key, depth + 1)}=>#{shown(one, depth + 1)}" }
      parts << "..." if it.size > MOST_FIELDS
      "{#{parts.join(", ")}}"
    else
      "#<#{::Module.instance_method(:name).bind_call(::Kernel.instance_method(:class).bind_call(it)) || "Class"}>"
    end
  end

  def text(it)
    "#{it[0, LONGEST_VALUE]}".inspect
  end

  def json(it)
    text = it.dup.force_encoding(::Encoding::UTF_8).scrub("?")
    "\"#{text.gsub(/[\x00-\x1f"\\\x7f]/) { |sign| format("\\u%04x", sign.ord) }}\""
  end

  # What a file with guards begins with.
  def top(path, keys, about)
    is_main = !@has_begun
    @has_begun = true
    unless @numbers[path]
      name = called(path)
      @numbers[path] = keys.map { |key| number_of("#{key} #{name}") }
      if @descriptions
        @numbers[path].each_with_index { |number, at| @descriptions.write("[#{number},#{json(name)},#{about[at]}]\n") }
      end
    end
    # Modules execute all that is in no method when they are loaded, as imports do.
    is_main ? Frame.new(0, @numbers[path], [], true) : Frame.new(@now, nil, [], false)
  end

  # A path as the plan has it: below the current folder, it is relative.
  def called(path)
    folder = "#{@told["here"].chomp("/")}/"
    path.start_with?(folder) ? path[folder.size..] : path
  end

  # A folder that is named counts, even if it is one of packages.
  def looked_into?(path)
    return true if @into.include?(path)
    best = @into.map { |it| "#{it.chomp("/")}/" }.select { |it| path.start_with?(it) }.map(&:size).max
    !!best && !"/#{path[best..]}".match?(%r{/(?:vendor|gems|\.bundle)/})
  end

  # Returns the text of a file with guards, if it can have them.
  def guarded(path)
    path = real(path)
    return nil unless path && looked_into?(path)
    known = @guarded[called(path)]
    return known if known || !@told["guards"]
    words = [{ "REDUCT_CONFINE" => "off" }, @told["guards"], "step", path, "--guards", "--", "ruby"]
    # In a thread, so that the program does not see its status.
    ::Thread.new do
      text = ::IO.popen(words, err: ::File::NULL, external_encoding: "UTF-8", &:read)
      $?.success? ? text : nil
    end.value
  end

  # Returns the compiled file, if it can have guards; Ruby loads others itself.
  def compiled(path)
    text = guarded(path)
    text && ::RubyVM::InstructionSequence.compile(text, path, real(path))
  rescue ::SyntaxError
    nil
  end

  # Returns the text of the main program.
  def main_text
    text = guarded(@script)
    ::RubyVM::InstructionSequence.compile(text) if text
    @has_begun = true unless text
    text || ::File.read(@script, encoding: "UTF-8")
  rescue ::SyntaxError
    @has_begun = true
    ::File.read(@script, encoding: "UTF-8")
  end

  # What stands behind the end of the main program can be read there.
  def open_data
    file = ::File.open(@script)
    file.each_line { |line| return ::Object.const_set(:DATA, file) if line.chomp == "__END__" }
    file.close
  end

  # Runs the main program. An exception that nobody catches looks as if the driver were not there.
  def run
    text = main_text
    open_data
    ::Kernel.catch(:reduct_main) { ::Kernel.eval(text, ::TOPLEVEL_BINDING, @script, 1) }
  rescue ::SystemExit
    raise
  rescue ::Exception => error
    # Ruby says of a program that it cannot read what is wrong with it, and nothing else.
    if error.is_a?(::SyntaxError) && without_driver(error.backtrace || []).empty?
      ::STDERR.puts error.message
      ::Kernel.exit(1)
    end
    one = error
    while one && !one.frozen?
      message, lines = one.message, without_driver(one.backtrace || [])
      one.define_singleton_method(:backtrace) { lines }
      one = one.cause
    end
    raise error
  end

  # Leaves out what only the driver has called, and says of the rest what Ruby would say.
  def without_driver(lines)
    lines.reject { |line| line.start_with?("#{DRIVER}:") }.map { |line| line.sub("in `<compiled>'", "in `<top (required)>'") }
  end
end

# Lines that Ruby shows have no guards.
module ReductLines
  GUARD = /\f[^\v]*\v/n

  def self.without_guards(bytes)
    bytes.b.gsub(GUARD, "").force_encoding(bytes.encoding)
  end

  def self.message_for(spot)
    line, first, last = spot[:snippet], spot[:first_column], spot[:last_column]
    return "" unless spot[:first_lineno] == spot[:last_lineno]
    before = without_guards(line.byteslice(0, first)).bytesize
    within = without_guards(line.byteslice(first, last - first)).bytesize
    bare = { snippet: without_guards(line), first_column: before, last_column: before + within }
    ErrorHighlight::DefaultFormatter.message_for(spot.merge(bare))
  end
end
if defined?(ErrorHighlight) && RubyVM.respond_to?(:keep_script_lines=)
  RubyVM.keep_script_lines = true
  ErrorHighlight.formatter = ReductLines
end

$__reduct = ReductStep.new(__dir__, ARGV.shift)
if Process.respond_to?(:_fork)
  Process.singleton_class.prepend(Module.new do
    def _fork
      pid = super
      $__reduct.in_child if pid == 0
      pid
    end
  end)
end
if defined?(Ractor)
  Ractor.singleton_class.prepend(Module.new { def new(*) = $__reduct.give_up("ractors cannot be recorded") })
end
RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |path| $__reduct.compiled(path) }
at_exit { $__reduct.finish }
$0 = $__reduct.script
$__reduct.run
