// TEMPORARY: being replaced by the deterministic implementations; same names and signatures stay.
export const { sin, cos, tan, asin, acos, atan, atan2, exp, log, pow, tanh, sinh, cosh, cbrt } = Math;
export const PI = 3.141592653589793;
