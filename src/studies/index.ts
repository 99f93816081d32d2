/** Runs over a model: testbeds for wheels and soils, calibration. */
export {
  climbedSlope,
  drawbarCurve,
  plateCurve,
  type RiggedWheel,
  ringCurve,
  type SteadyWheel,
  slopeCurve,
  testbedRun,
  type WheelModel,
  WheelTestbed,
} from './soil-rigs.js';
export {
  improvementsInMotion,
  type MotionDesign,
  type MotionDesignOptions,
  type MotionDesigns,
  optimiseInMotion,
} from './topology/optimise-in-motion.js';
