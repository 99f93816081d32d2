/** How far apart shapes are: convex hulls by GJK, any meshes by branch and bound. */
export { ConvexDistance } from './convex-distance.js';
export { DifferenceCorners } from './difference-corners.js';
export { Gjk } from './gjk.js';
export { MeshDistance } from './mesh-distance.js';
export { RelativePose } from './relative-pose.js';
export { CylinderSupport, SegmentSupport } from './round-supports.js';
export { CornerSupport, type Support } from './support.js';
export { TriangleDistance } from './triangle-distance.js';
