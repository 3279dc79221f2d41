// How values of a Java program are shown. No code of the program is called: it might do something.
package reduct.guards;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

final class Values {
    /** Of a value, so many characters are kept, and it is looked into so deep. */
    private static final int LONGEST = 200, DEEPEST = 3;

    static String shown(Object value) {
        StringBuilder text = new StringBuilder();
        try {
            show(value, text, 0);
        } catch (RuntimeException changed) {
            text.append("...");
        }
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text.toString();
    }

    private static void show(Object value, StringBuilder text, int depth) {
        if (text.length() > LONGEST) return;
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(isOfTheJdk(value) ? String.valueOf(value) : nameOf(value));
        } else if (value instanceof Character) {
            text.append('\'').append(value).append('\'');
        } else if (value instanceof String) {
            String all = (String) value;
            text.append('"').append(all, 0, Math.min(all.length(), LONGEST)).append('"');
        } else if (value instanceof StringBuilder) {
            show(((StringBuilder) value).substring(0, Math.min(((StringBuilder) value).length(), LONGEST)), text, depth);
        } else if (value instanceof Enum) {
            text.append(((Enum<?>) value).name());
        } else if (value.getClass().isArray() && depth < DEEPEST) {
            text.append('[');
            for (int at = 0; at < Array.getLength(value) && text.length() <= LONGEST; at++) {
                show(Array.get(value, at), at == 0 ? text : text.append(", "), depth + 1);
            }
            text.append(']');
        } else if (value instanceof Collection && isOfTheJdk(value) && depth < DEEPEST) {
            text.append('[');
            Iterator<?> each = ((Collection<?>) value).iterator();
            for (int at = 0; each.hasNext() && text.length() <= LONGEST; at++) {
                show(each.next(), at == 0 ? text : text.append(", "), depth + 1);
            }
            text.append(']');
        } else if (value instanceof Map && isOfTheJdk(value) && depth < DEEPEST) {
            text.append('{');
            Iterator<? extends Map.Entry<?, ?>> each = ((Map<?, ?>) value).entrySet().iterator();
            for (int at = 0; each.hasNext() && text.length() <= LONGEST; at++) {
                Map.Entry<?, ?> entry = each.next();
                show(entry.getKey(), at == 0 ? text : text.append(", "), depth + 1);
                show(entry.getValue(), text.append('='), depth + 1);
            }
            text.append('}');
        } else {
            text.append(nameOf(value));
        }
    }

    private static String nameOf(Object value) {
        // Of what Java makes of a lambda, the name has an address.
        return value.getClass().getName().contains("$$Lambda") ? "a lambda" : value.getClass().getSimpleName();
    }

    /** Whether a value is shown by code of the JDK alone: not if it stands for another one, which may be the program's. */
    private static boolean isOfTheJdk(Object value) {
        if (value == null) return true;
        Class<?> type = value.getClass();
        String name = type.getName();
        return type.getClassLoader() == null && !name.startsWith("java.util.Collections$") && !name.startsWith("java.util.Abstract");
    }

    /** Writes a text as JSON. */
    static void quote(String text, StringBuilder line) {
        line.append('"');
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isWhole = !Character.isSurrogate(c)
                || (Character.isHighSurrogate(c) && at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1)))
                || (Character.isLowSurrogate(c) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
            if (!isWhole) line.append('?');
            else if (c == '"' || c == '\\') line.append('\\').append(c);
            else if (c < 0x20 || c == 0x7f) line.append(String.format("\\u%04x", (int) c));
            else line.append(c);
        }
        line.append('"');
    }
}
