// The two parts of a Geneva mechanism, parametric in everything: Elmqvist et al. (2015), §2.4 and §8.2.
// npx tippetop build examples/geneva-wheel --slots 4
import { genevaDimensions, genevaDrive, genevaWheel, translate } from 'tippetop';

export default ({
  slots = 6, // 3 to 12
  radius = 0.02, // m, of the wheel
  thickness = 0.2, // height of the wheel over its radius
  play = 0.01, // clearance of pin and lock over the radius
  boreRadius = 0, // m
  segments = 128, // corners of a full circle
} = {}) => {
  const options = { slots, radius, height: thickness * radius, clearance: play * radius, boreRadius, segments };
  const { centreDistance } = genevaDimensions(options);
  return {
    wheel: genevaWheel(options),
    drive: translate([centreDistance, 0, 0], genevaDrive(options)), // pin away from the wheel: the wheel is locked
  };
};
