@java.lang.SuppressWarnings({"all", "unchecked"}) final class __Reduct {
    private static final java.util.function.ObjLongConsumer<int[]> K;
    private static final java.util.function.BiConsumer<int[], java.lang.Object[]> V;
    static {
        java.lang.Object asked = null, noted = null;
        try {
            java.lang.Class<?> guards = java.lang.Class.forName("reduct.guards.Guards", true, null);
            asked = guards.getField("asked").get(null);
            noted = guards.getField("noted").get(null);
        } catch (java.lang.Throwable none) {
        }
        K = (java.util.function.ObjLongConsumer<int[]>) asked;
        V = (java.util.function.BiConsumer<int[], java.lang.Object[]>) noted;
    }
    static boolean k(int[] frame, int number, int depth) {
        if (K == null) return true;
        K.accept(frame, (long) number << 32 | depth);
        return frame[0] != 0;
    }
    static int[] e(int size) {
        int[] frame = new int[size];
        if (K != null) K.accept(frame, 0);
        return frame;
    }
    static void l(int[] frame) {
        if (K != null) K.accept(frame, -1L << 32);
    }
    static boolean c(int[] frame, int depth) {
        if (K != null) K.accept(frame, -2L << 32 | depth);
        return true;
    }
    static int s() {
        int[] frame = new int[1];
        if (K != null) K.accept(frame, -3L << 32);
        return frame[0];
    }
    static void t(int before) {
        if (K != null) K.accept(new int[] {before}, -4L << 32);
    }
    static void v(int[] frame, int depth, java.lang.String name, java.lang.Object value) {
        if (V != null) V.accept(frame, new java.lang.Object[] {depth, name, value});
    }
    @java.lang.SafeVarargs static <T> T z(T... none) {
        java.lang.Class<?> type = none.getClass().getComponentType();
        java.lang.Object zero = null;
        if (type == java.lang.Integer.class) zero = 0;
        else if (type == java.lang.Long.class) zero = 0L;
        else if (type == java.lang.Double.class) zero = 0.0;
        else if (type == java.lang.Boolean.class) zero = false;
        else if (type == java.lang.Float.class) zero = 0f;
        else if (type == java.lang.Character.class) zero = (char) 0;
        else if (type == java.lang.Byte.class) zero = (byte) 0;
        else if (type == java.lang.Short.class) zero = (short) 0;
        return (T) zero;
    }
}
