// Runs a Java program under a plan: only the statement executions that the plan names are executed.
//
// It is on the boot class path. The files of the program have guards (guards/java.rs of reduct-grammars), whose classes look for this one.
// A guard names an execution by the one that it belongs to, the statement, and how often that came before within it: the execution index of
// Xin, Sumner and Zhang (PLDI 2008). Instructions are records that end with a NUL: see instructions.rs. A function has a frame, an array: an
// answer, what the function belongs to, how many executions are under way in it, and these.
package reduct.guards;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;

public final class Guards {
    private static final int UNRESOLVED = 125;
    /** All below an execution at the deepest level that is recorded is a part of it. */
    private static final int PART = -1;
    private static final int NOBODY = -1;
    /** So many depths are told apart. */
    private static final int DEPTHS = 4096;
    private static final int ANSWER = 0, BELONGS_TO = 1, UNDER_WAY = 2, FIRST = 3;
    /** What is asked for in place of a statement. */
    private static final int ENTER = 0, LEAVE = -1, ANEW = -2, CLASS = -3, CLASS_ENDS = -4;

    /** What guards call; nothing if this process is not the one that is recorded. */
    public static final ObjLongConsumer<int[]> asked;
    public static final BiConsumer<int[], Object[]> noted;

    /** What a function that is called now belongs to. What a thread executes belongs to what has made the thread. */
    private static final ThreadLocal<int[]> NOW = new InheritableThreadLocal<int[]>() {
        @Override protected int[] initialValue() {
            return new int[1];
        }
        @Override protected int[] childValue(int[] now) {
            return now.clone();
        }
    };

    /** (execution it belongs to, statement) and how often, or -1 -> the execution, or how often. */
    private static final Table known = new Table(), counts = new Table();
    private static int[] depths = new int[1024];
    private static boolean[] kept = new boolean[1024];
    private static boolean hasPlan;
    private static int executed, deepest = Integer.MAX_VALUE;
    /** If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken. */
    private static int below = Integer.MAX_VALUE, numbered;
    private static long seen, limit = Long.MAX_VALUE, most;
    private static MappedByteBuffer record, perDepth;
    private static FileOutputStream values;

    static {
        String told = System.getenv("REDUCT_GUARDS");
        boolean isFirst = told != null && begin(new File(told));
        asked = isFirst ? Guards::ask : null;
        noted = values != null ? Guards::note : null;
    }

    /** Reads the instructions, if nobody has. */
    private static boolean begin(File told) {
        File taken = new File(told.getPath() + ".taken");
        if (!told.renameTo(taken)) return false;
        String recordTo = null, valuesTo = null;
        try {
            for (String line : records(taken)) {
                int at = line.indexOf(' ');
                String word = line.substring(0, at), rest = line.substring(at + 1);
                switch (word) {
                    case "known": know(rest); break;
                    case "record": recordTo = rest; break;
                    case "values": valuesTo = rest; break;
                    case "most": most = Long.parseLong(rest); break;
                    case "limit": limit = Long.parseLong(rest); break;
                    case "below": below = Integer.parseInt(rest); break;
                    case "taken": numbered = executed = Integer.parseInt(rest); break;
                    case "deepest": deepest = (int) Math.min(Long.parseLong(rest), Integer.MAX_VALUE); break;
                    default:
                }
            }
            if (recordTo != null) {
                record = mapped(recordTo, 16 + 8 * most);
                perDepth = mapped(recordTo + ".depths", 8 * DEPTHS);
            }
            if (valuesTo != null) values = new FileOutputStream(valuesTo);
        } catch (IOException error) {
            giveUp("the instructions cannot be read, or the record cannot be written: " + error.getMessage());
        }
        // Nobody needs it any more, nor its folder, if nothing else is there.
        taken.delete();
        taken.getParentFile().delete();
        return true;
    }

    private static String[] records(File file) throws IOException {
        byte[] bytes = new byte[(int) file.length()];
        try (FileInputStream in = new FileInputStream(file)) {
            for (int at = 0; at < bytes.length;) {
                int got = in.read(bytes, at, bytes.length - at);
                if (got < 0) throw new IOException("they end too early");
                at += got;
            }
        }
        // As it has NULs only where records end, the last one is empty.
        String[] records = new String(bytes, StandardCharsets.UTF_8).split("\0");
        return bytes.length == 0 ? new String[0] : records;
    }

    private static void know(String text) {
        int[] numbers = new int[5];
        int at = 0;
        for (int c = 0; c < text.length(); c++) {
            char digit = text.charAt(c);
            if (digit == ' ') at++;
            else numbers[at] = 10 * numbers[at] + (digit - '0');
        }
        int parent = numbers[0], number = numbers[3];
        hasPlan = true;
        roomFor(Math.max(parent, number));
        known.put(parent, numbers[1], numbers[2], number);
        depths[number] = depths[parent] + 1;
        kept[number] = numbers[4] != 0;
    }

    private static MappedByteBuffer mapped(String path, long size) throws IOException {
        new File(path).delete();
        try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
            MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size);
            map.order(ByteOrder.LITTLE_ENDIAN);
            return map;
        }
    }

    private static void giveUp(String why) {
        try {
            new FileOutputStream(FileDescriptor.err).write(("reduct step: " + why + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException none) {
            // Nobody reads it.
        }
        Runtime.getRuntime().halt(UNRESOLVED);
    }

    private static void roomFor(int number) {
        if (number < depths.length) return;
        depths = Arrays.copyOf(depths, 2 * number);
        kept = Arrays.copyOf(kept, 2 * number);
    }

    private static void ask(int[] frame, long code) {
        int what = (int) (code >> 32), depth = (int) code;
        int[] now = NOW.get();
        switch (what) {
            case ENTER:
                frame[BELONGS_TO] = now[0];
                break;
            case LEAVE:
                now[0] = frame[BELONGS_TO];
                break;
            case ANEW:
                if (frame[UNDER_WAY] > depth) frame[UNDER_WAY] = depth;
                now[0] = parent(frame, depth);
                break;
            case CLASS:
                frame[ANSWER] = now[0];
                now[0] = PART;
                break;
            case CLASS_ENDS:
                now[0] = frame[ANSWER];
                break;
            default:
                int parent = parent(frame, depth);
                int execution = executionOf(parent, what);
                boolean isLeftOut = execution > 0 && hasPlan && !kept[execution];
                for (; frame[UNDER_WAY] < depth; frame[UNDER_WAY]++) frame[FIRST + frame[UNDER_WAY]] = parent;
                frame[FIRST + depth] = execution;
                frame[UNDER_WAY] = isLeftOut ? depth : depth + 1;
                now[0] = execution >= 0 && !isLeftOut ? execution : parent;
                frame[ANSWER] = isLeftOut ? 0 : 1;
        }
    }

    /** What an execution at a depth belongs to. */
    private static int parent(int[] frame, int depth) {
        if (depth <= 0 || frame[UNDER_WAY] == 0) return frame[BELONGS_TO];
        return frame[FIRST + Math.min(depth, frame[UNDER_WAY]) - 1];
    }

    private static synchronized int executionOf(int parent, int statement) {
        if (++seen > limit) giveUp("more was executed than could be: the plan makes a loop longer");
        if (parent < 0 || depths[parent] >= deepest) return PART;
        if (!hasPlan || depths[parent] >= below) {
            int number = ++executed;
            roomFor(number);
            kept[number] = true;
            int depth = depths[number] = depths[parent] + 1;
            if (record != null) put(number - numbered, Math.min(depth, DEPTHS - 1), parent, statement);
            return number;
        }
        int count = counts.get(parent, statement, NOBODY);
        count = count == NOBODY ? 0 : count;
        counts.put(parent, statement, NOBODY, count + 1);
        int number = known.get(parent, statement, count);
        if (number == NOBODY) giveUp("something is executed that was not when it was recorded");
        return number;
    }

    /** What is executed is written where it stays if the program dies. */
    private static void put(int number, int depth, int parent, int statement) {
        perDepth.putLong(8 * depth, perDepth.getLong(8 * depth) + 1);
        record.putLong(8, number);
        if (number > most) return;
        int at = 16 + 8 * (number - 1);
        record.putInt(at, parent);
        record.putInt(at + 4, statement);
        record.putLong(0, number);
    }

    /** Notes a value that was assigned. */
    private static void note(int[] frame, Object[] given) {
        int depth = (Integer) given[0];
        if (depth >= frame[UNDER_WAY] || frame[FIRST + depth] <= 0) return;
        StringBuilder line = new StringBuilder("[").append(frame[FIRST + depth]).append(",{");
        Values.quote((String) given[1], line);
        line.append(':');
        Values.quote(Values.shown(given[2]), line);
        line.append("}]\n");
        synchronized (Guards.class) {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.write(line.toString().getBytes(StandardCharsets.UTF_8));
                values.write(bytes.toByteArray());
            } catch (IOException none) {
                // It is no loss if it is not there.
            }
        }
    }

    /** A table from three numbers to one, with open addresses. */
    private static final class Table {
        private int[] entries = new int[4 * 1024];
        private int used;

        Table() {
            Arrays.fill(entries, NOBODY);
        }

        int get(int a, int b, int c) {
            return entries[at(a, b, c) + 3];
        }

        void put(int a, int b, int c, int value) {
            int at = at(a, b, c);
            if (entries[at + 3] == NOBODY && 8 * ++used > entries.length) {
                int[] before = entries;
                entries = new int[2 * before.length];
                Arrays.fill(entries, NOBODY);
                for (int from = 0; from < before.length; from += 4) {
                    if (before[from + 3] == NOBODY) continue;
                    System.arraycopy(before, from, entries, at(before[from], before[from + 1], before[from + 2]), 4);
                }
                at = at(a, b, c);
            }
            entries[at] = a;
            entries[at + 1] = b;
            entries[at + 2] = c;
            entries[at + 3] = value;
        }

        private int at(int a, int b, int c) {
            long hash = a * 0x9e3779b97f4a7c15L ^ b * 0xc2b2ae3d27d4eb4fL ^ c * 0x165667b19e3779f9L;
            int mask = entries.length / 4 - 1;
            for (int at = (int) ((hash ^ hash >>> 29) * 0xbf58476d1ce4e5b9L >>> 33) & mask;; at = at + 1 & mask) {
                int of = 4 * at;
                if (entries[of + 3] == NOBODY) return of;
                if (entries[of] == a && entries[of + 1] == b && entries[of + 2] == c) return of;
            }
        }
    }
}
