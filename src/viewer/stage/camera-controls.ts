/** The class of camera-controls: its types are those of a CommonJS module in versions that run on Node 20, its code is that of an ES module. */
import given from 'camera-controls';

type Given = typeof given;
type CameraControlsClass = Given extends { readonly default: infer Inner } ? Inner : Given;

export const CameraControls = ('default' in given ? given.default : given) as CameraControlsClass;
export type CameraControls = InstanceType<CameraControlsClass>;
