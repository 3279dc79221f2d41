<?php
// Runs a PHP program under a plan: only the statement executions that the plan names are executed.
//
// Run as: php -d auto_append_file=MAIN driver.php PROGRAM ARGUMENT... What is opened as MAIN, after this, is the program: so it is the main
// program in its own traces, too. Each file of the program is given guards when it is included: see
// guards/php.rs of reduct-grammars. The guard names an execution by the one that it belongs to, the statement, and how often that came
// before within it: the execution index of Xin, Sumner and Zhang (PLDI 2008).

/** An activation of a function, and the executions that are under way in it, by their depth. */
final class __reduct_frame
{
    public $under = [];

    public function __construct(public $base, public $numbers) {}
}

/** What is known of the run. Executions go by their numbers in time, from 1; 0 is the program itself. */
final class __reduct
{
    private const UNRESOLVED = 125;
    // What an execution is if it is a part of the one that it belongs to, or is left out.
    private const PART = -1, SKIPPED = -2;
    private const LONGEST_VALUE = 200, MOST_FIELDS = 20, DEEPEST_VALUE = 2;

    private static $told = [], $into = [], $guarded = [], $statements = [], $numbers = [], $known = [], $kept = [];
    /** The executions before which variables are looked at, and the names of these. */
    private static $looked = [];
    private static $depths = [0], $counts = [], $perDepth = [];
    private static $now = 0, $executed = 0, $seen = 0, $deepest = PHP_INT_MAX, $limit = PHP_INT_MAX, $most = 0;
    /** If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken. */
    private static $below = PHP_INT_MAX, $taken = 0;
    private static $record, $values, $descriptions, $pid, $hasPlan = false, $isOver = false;

    private static function giveUp(string $why): never
    {
        fwrite(STDERR, "reduct step: $why\n");
        // Ends at once: what the program has to do at its end is not done.
        if (function_exists('pcntl_exec')) {
            pcntl_exec('/bin/sh', ['-c', 'exit ' . self::UNRESOLVED]);
        }
        self::$isOver = true;
        exit(self::UNRESOLVED);
    }

    /** Reads what the driver is told: records that end with a NUL, a word and what belongs to it. */
    public static function begin(string $own): void
    {
        self::$pid = getmypid();
        $places = $knownOf = [];
        foreach (explode("\0", file_get_contents("$own/instructions"), -1) as $record) {
            [$word, $rest] = explode(' ', $record, 2);
            if ($word === 'into') {
                $real = realpath($rest);
                if ($real !== false) {
                    self::$into[] = $real;
                }
            } elseif ($word === 'guarded') {
                [$number, $name] = explode(' ', $rest, 2);
                self::$guarded[$name] = file_get_contents("$own/$number.guarded");
                unlink("$own/$number.guarded");
            } elseif ($word === 'place') {
                $places[] = $rest;
            } elseif ($word === 'known') {
                $knownOf[] = $rest;
            } elseif ($word === 'read') {
                $names = explode(' ', $rest);
                self::$looked[(int) array_shift($names)] = $names;
            } else {
                self::$told[$word] = $rest;
            }
        }
        foreach (['instructions', 'driver.php'] as $name) {
            unlink("$own/$name");
        }
        $told = self::$told;
        self::$deepest = (int) ($told['deepest'] ?? PHP_INT_MAX);
        self::$limit = (int) ($told['limit'] ?? PHP_INT_MAX);
        self::$most = (int) ($told['most'] ?? 0);
        self::$below = (int) ($told['below'] ?? PHP_INT_MAX);
        self::$taken = self::$executed = (int) ($told['taken'] ?? 0);
        self::$hasPlan = isset($told['plan']);
        if (self::$hasPlan) {
            self::readPlan($places, $knownOf);
        }
        // What is written stays where it is if the program dies. As long as the head says nothing, all of the file counts.
        if (isset($told['record'])) {
            self::$record = fopen($told['record'], 'wb');
            fwrite(self::$record, pack('qq', -1, -1));
            register_shutdown_function(function () {
                // Behind those that the program has registered.
                register_shutdown_function(self::finish(...));
            });
        }
        if (isset($told['values'])) {
            self::$values = fopen($told['values'], 'wb');
        }
        $beside = $told['record'] ?? $told['values'] ?? null;
        if ($beside !== null) {
            self::$descriptions = fopen("$beside.statements", 'wb');
        }
        // Unless the values are in there.
        @rmdir($own);
    }

    private static function readPlan(array $places, array $knownOf): void
    {
        $numbers = array_map(self::numberOf(...), $places);
        foreach ($knownOf as $record) {
            [$parent, $place, $count, $time, $isKept] = array_map(intval(...), explode(' ', $record));
            self::$known[$parent << 21 | $numbers[$place - 1]][$count] = $time;
            if ($isKept) {
                self::$kept[$time] = true;
            }
            self::$depths[$time] = (self::$depths[$parent] ?? 0) + 1;
        }
    }

    private static function numberOf(string $key): int
    {
        return self::$statements[$key] ??= count(self::$statements) + 1;
    }

    private static function add(int $depth, int $parent, int $statement): void
    {
        self::$perDepth[$depth] = (self::$perDepth[$depth] ?? 0) + 1;
        if (self::$executed - self::$taken <= self::$most) {
            fwrite(self::$record, pack('ll', $parent, $statement));
        } elseif (self::$executed - self::$taken === self::$most + 1) {
            self::head();
        }
    }

    private static function head(): void
    {
        fseek(self::$record, 0);
        fwrite(self::$record, pack('qq', self::$most, self::$executed - self::$taken));
    }

    public static function finish(): void
    {
        if (self::$record === null || getmypid() !== self::$pid) {
            return;
        }
        if (self::$executed - self::$taken > self::$most) {
            self::head();
        }
        $last = max(array_keys(self::$perDepth) ?: [0]);
        $list = array_map(fn($depth) => self::$perDepth[$depth] ?? 0, range(0, $last));
        $file = fopen(self::$told['record'] . '.depths', 'wb');
        fwrite($file, json_encode($list) . "\n");
        fclose($file);
    }

    /** Returns whether this execution of a statement is executed. */
    public static function k($frame, int $number, int $depth, ?array $scope = null, ?object $this_ = null): bool
    {
        // What other processes execute is a part of what makes them.
        if ($frame === null || $frame->numbers === null || getmypid() !== self::$pid) {
            return true;
        }
        if (self::$isOver) {
            return false;
        }
        $statement = $frame->numbers[$number];
        $parent = $depth > 0 ? $frame->under[$depth - 1] ?? $frame->base : $frame->base;
        if (++self::$seen > self::$limit) {
            self::giveUp('more was executed than could be: the plan makes a loop longer');
        }
        $execution = self::PART;
        if ($parent >= 0 && self::$depths[$parent] < self::$deepest) {
            $pair = $parent << 21 | $statement;
            $count = self::$counts[$pair] ?? 0;
            self::$counts[$pair] = $count + 1;
            if (self::$hasPlan && self::$depths[$parent] < self::$below) {
                $execution = self::$known[$pair][$count] ?? null;
                if ($execution === null) {
                    self::giveUp('something is executed that was not when it was recorded');
                }
                if (!isset(self::$kept[$execution])) {
                    $frame->under[$depth] = self::SKIPPED;
                    return false;
                }
            } else {
                $execution = ++self::$executed;
                self::$depths[$execution] = self::$depths[$parent] + 1;
                if (self::$record !== null) {
                    self::add(self::$depths[$execution], $parent, $statement);
                }
            }
        }
        $frame->under[$depth] = $execution;
        self::$now = $execution;
        if ($scope !== null && isset(self::$looked[$execution])) {
            self::noteRead($execution, $scope, $this_);
        }
        return true;
    }

    /** Notes the values of what a statement reads, before it is executed. */
    private static function noteRead(int $execution, array $scope, ?object $this_): void
    {
        $shown = [];
        foreach (self::$looked[$execution] as $name) {
            $fields = explode('.', $name);
            $known = array_shift($fields);
            $it = $known === '$this' ? $this_ : $scope[substr($known, 1)] ?? null;
            foreach ($fields as $field) {
                // What has no fields is told by its own name.
                if (!is_object($it)) {
                    break;
                }
                $of = self::fields($it);
                // What has no such field may compute it.
                if (!array_key_exists($field, $of) && method_exists($it, '__get')) {
                    continue 2;
                }
                $it = $of[$field] ?? null;
                $known .= "->$field";
            }
            if (!$it instanceof Closure) {
                $shown[$known] = substr(self::shown($it, 0), 0, self::LONGEST_VALUE);
            }
        }
        if (self::$values !== null && $shown) {
            fwrite(self::$values, self::json([$execution, (object) [], $shown]) . "\n");
        }
    }

    /** Returns the fields of an object, by their names. */
    private static function fields(object $it): array
    {
        $fields = [];
        foreach (get_mangled_object_vars($it) as $name => $value) {
            $parts = explode("\0", (string) $name);
            $fields[end($parts)] ??= $value;
        }
        return $fields;
    }

    public static function enter(string $path): __reduct_frame
    {
        return new __reduct_frame(self::$now, self::$numbers[$path] ?? null);
    }

    public static function leave(__reduct_frame $frame): void
    {
        self::$now = $frame->base;
    }

    /** What follows belongs to the execution at this depth again. */
    public static function c($frame, int $depth): bool
    {
        if ($frame !== null) {
            self::$now = $frame->under[$depth] ?? $frame->base;
        }
        return true;
    }

    /** Notes what a statement has assigned. */
    public static function v($frame, int $depth, array $names): void
    {
        $execution = $frame->under[$depth] ?? self::PART;
        if (self::$values === null || $execution <= 0 || getmypid() !== self::$pid) {
            return;
        }
        $shown = [];
        foreach ($names as $name => $it) {
            $shown[$name] = substr(self::shown($it, 0), 0, self::LONGEST_VALUE);
        }
        fwrite(self::$values, self::json([$execution, $shown]) . "\n");
    }

    private static function shown($it, int $depth): string
    {
        if (is_string($it)) {
            return "'" . addcslashes(substr($it, 0, self::LONGEST_VALUE), "'\\\n\r\t") . "'";
        } elseif (is_object($it)) {
            return $it instanceof UnitEnum ? get_class($it) . '::' . $it->name : 'object(' . get_class($it) . ')';
        } elseif (!is_array($it)) {
            return is_resource($it) ? 'resource' : ($it === null ? 'null' : var_export($it, true));
        } elseif ($depth === self::DEEPEST_VALUE) {
            return '[...]';
        }
        $parts = [];
        foreach ($it as $key => $value) {
            if (count($parts) === self::MOST_FIELDS) {
                $parts[] = '...';
                break;
            }
            $before = $key === count($parts) ? '' : self::shown($key, $depth) . ' => ';
            $parts[] = $before . self::shown($value, $depth + 1);
        }
        return '[' . implode(', ', $parts) . ']';
    }

    private static function json($it): string
    {
        return json_encode($it, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /** What a file with guards begins with. */
    public static function top(string $path, array $keys, array $about): __reduct_frame
    {
        $name = self::called($path);
        if (!isset(self::$numbers[$path])) {
            self::$numbers[$path] = array_map(fn($key) => self::numberOf("$key $name"), $keys);
            if (self::$descriptions !== null) {
                foreach (self::$numbers[$path] as $at => $number) {
                    fwrite(self::$descriptions, "[$number," . self::json($name) . ",{$about[$at]}]\n");
                }
            }
        }
        return self::enter($path);
    }

    /** A path as the plan has it: below the current folder, it is relative. */
    private static function called(string $path): string
    {
        $folder = rtrim(self::$told['here'], '/') . '/';
        return str_starts_with($path, $folder) ? substr($path, strlen($folder)) : $path;
    }

    /** A folder that is named counts, even if it is one of packages. */
    private static function isLookedInto(string $path): bool
    {
        $best = null;
        foreach (self::$into as $folder) {
            if ($folder === $path) {
                return true;
            }
            $within = rtrim($folder, '/') . '/';
            if (str_starts_with($path, $within)) {
                $best = max($best ?? 0, strlen($within));
            }
        }
        return $best !== null && !str_contains('/' . substr($path, $best), '/vendor/');
    }

    /** Returns the text of a file with guards, if it can have them. */
    public static function guarded(string $path): ?string
    {
        if (!self::isLookedInto($path)) {
            return null;
        }
        $known = self::$guarded[self::called($path)] ?? null;
        if ($known !== null || !isset(self::$told['guards'])) {
            return $known;
        }
        $words = array_map(escapeshellarg(...), [self::$told['guards'], 'step', $path]);
        $text = shell_exec('REDUCT_CONFINE=off ' . implode(' ', $words) . ' --guards -- php 2>/dev/null');
        return is_string($text) && $text !== '' ? $text : null;
    }
}

/** Files, as they are; those that are included, with guards. */
final class __reduct_files
{
    public $context;
    private $handle, $text, $at = 0, $isCast = false;
    private static $cast = [];
    /** What stands for the program, and the program. */
    public static $main, $program;

    public static function on(): void
    {
        stream_wrapper_unregister('file');
        stream_wrapper_register('file', self::class);
    }

    /** Does something with the files of the system. */
    private static function natively(callable $does, ...$arguments)
    {
        stream_wrapper_restore('file');
        try {
            return $does(...$arguments);
        } finally {
            self::on();
        }
    }

    /** Does something of which nobody hears if it fails, not even an error handler of the program (`@` does not keep it out). */
    private static function quietly(callable $does, ...$arguments)
    {
        set_error_handler(fn() => true);
        try {
            return $does(...$arguments);
        } finally {
            restore_error_handler();
        }
    }

    /** Words of a call; a context only if there is one. */
    private function with(...$arguments): array
    {
        return $this->context ? [...$arguments, $this->context] : $arguments;
    }

    public function stream_open($path, $mode, $options, &$opened): bool
    {
        $usesPath = (bool) ($options & STREAM_USE_PATH);
        if ($path === self::$main) {
            $path = self::$program;
        }
        return self::natively(function () use ($path, $mode, $options, $usesPath, &$opened) {
            if ($options & 128) {
                $real = realpath($usesPath ? stream_resolve_include_path($path) ?: $path : $path);
                $this->text = $real === false ? null : __reduct::guarded($real);
                $opened = $real === false ? $path : $real;
            }
            $arguments = $this->with($path, $mode, $usesPath);
            // PHP says itself that it cannot be opened, at the line of the program.
            $this->handle = self::quietly(fopen(...), ...$arguments);
            return $this->handle !== false;
        });
    }

    public function stream_read($count)
    {
        if ($this->text === null) {
            return fread($this->handle, $count);
        }
        $part = substr($this->text, $this->at, $count);
        $this->at += strlen($part);
        return $part;
    }

    public function stream_eof(): bool
    {
        return $this->text === null ? feof($this->handle) : $this->at >= strlen($this->text);
    }

    public function stream_stat()
    {
        $stat = fstat($this->handle);
        return $this->text === null || $stat === false ? $stat : array_replace($stat, [7 => strlen($this->text), 'size' => strlen($this->text)]);
    }

    public function stream_close(): void
    {
        if (!$this->isCast) {
            fclose($this->handle);
        }
    }

    public function stream_write($data)
    {
        return fwrite($this->handle, $data);
    }

    public function stream_flush(): bool
    {
        return fflush($this->handle);
    }

    public function stream_seek($offset, $whence = SEEK_SET): bool
    {
        return self::quietly(fseek(...), $this->handle, $offset, $whence) === 0;
    }

    public function stream_tell()
    {
        return ftell($this->handle);
    }

    public function stream_truncate($size): bool
    {
        return ftruncate($this->handle, $size);
    }

    public function stream_lock($operation): bool
    {
        return flock($this->handle, $operation ?: LOCK_SH);
    }

    public function stream_cast($as)
    {
        // PHP uses what is below the handle after the stream is closed.
        $this->isCast = true;
        self::$cast[] = $this->handle;
        return $this->handle;
    }

    public function stream_set_option($option, $arg1, $arg2): bool
    {
        return match ($option) {
            STREAM_OPTION_BLOCKING => stream_set_blocking($this->handle, (bool) $arg1),
            STREAM_OPTION_READ_TIMEOUT => stream_set_timeout($this->handle, $arg1, $arg2),
            STREAM_OPTION_WRITE_BUFFER => stream_set_write_buffer($this->handle, $arg2) === 0,
            default => false,
        };
    }

    public function stream_metadata($path, $option, $value): bool
    {
        return self::natively(fn() => match ($option) {
            STREAM_META_TOUCH => touch($path, ...$value),
            STREAM_META_OWNER, STREAM_META_OWNER_NAME => chown($path, $value),
            STREAM_META_GROUP, STREAM_META_GROUP_NAME => chgrp($path, $value),
            STREAM_META_ACCESS => chmod($path, $value),
        });
    }

    public function url_stat($path, $flags)
    {
        $stat = $flags & STREAM_URL_STAT_LINK ? lstat(...) : stat(...);
        return self::natively(fn() => $flags & STREAM_URL_STAT_QUIET ? @$stat($path) : $stat($path));
    }

    public function unlink($path): bool
    {
        return self::natively(unlink(...), ...$this->with($path));
    }

    public function rename($from, $to): bool
    {
        return self::natively(rename(...), ...$this->with($from, $to));
    }

    public function mkdir($path, $mode, $options): bool
    {
        return self::natively(mkdir(...), ...$this->with($path, $mode, (bool) ($options & STREAM_MKDIR_RECURSIVE)));
    }

    public function rmdir($path, $options): bool
    {
        return self::natively(rmdir(...), ...$this->with($path));
    }

    public function dir_opendir($path, $options): bool
    {
        $this->handle = self::natively(opendir(...), ...$this->with($path));
        return $this->handle !== false;
    }

    public function dir_readdir()
    {
        return readdir($this->handle);
    }

    public function dir_rewinddir(): bool
    {
        rewinddir($this->handle);
        return true;
    }

    public function dir_closedir(): bool
    {
        closedir($this->handle);
        return true;
    }
}

__reduct::begin(__DIR__);
// The words of the command are those of the program.
array_shift($argv);
$argc--;
$_SERVER['argv'] = $argv;
$_SERVER['argc'] = $argc;
foreach (['PHP_SELF', 'SCRIPT_NAME', 'SCRIPT_FILENAME', 'PATH_TRANSLATED'] as $_) {
    $_SERVER[$_] = $argv[0];
}
unset($_);
__reduct_files::$main = __DIR__ . '/main.php';
__reduct_files::$program = realpath($argv[0]) ?: $argv[0];
__reduct_files::on();
