/** Generated things: gears, Geneva wheels, escapements, cams, wheels, ground, rocks, fields of rocks. Same parameters, same bytes. */
export { type CraterOptions, craterList } from './craters.js';
export type { HeightMap } from './height-map.js';
export { type HeightMapReading, readHeightMap } from './height-map-files/index.js';
export { type CamSize, cam } from './machine-elements/cam.js';
export { type EscapeWheelSize, escapeTooth, escapeWheel } from './machine-elements/escape-wheel.js';
export { type GearCircles, type GearSize, gearCircles, involuteGear } from './machine-elements/gear.js';
export { type GenevaDimensions, type GenevaOptions, genevaDimensions } from './machine-elements/geneva-dimensions.js';
export { type GenevaMotion, genevaMotion } from './machine-elements/geneva-motion.js';
export {
  type GenevaMoments,
  genevaDriveOutlines,
  genevaWheelMoments,
  genevaWheelOutline,
} from './machine-elements/geneva-outline.js';
export { genevaDrive, genevaWheel, genevaWheelParts } from './machine-elements/geneva-wheel.js';
export { type LeverEscapement, leverEscapement } from './machine-elements/lever-escapement.js';
export {
  type LeverDimensions,
  type LeverEscapementOptions,
  leverDimensions,
} from './machine-elements/lever-escapement-dimensions.js';
export { lockedWheelAngle, type PalletStone, palletStones } from './machine-elements/lever-escapement-stones.js';
export { assetBytes } from './obj.js';
export { type Asset, assetId, canonicalText } from './parameters.js';
export { type RockAsset, type RockOptions, rock, rockId } from './rock.js';
export { type PlacedRock, type RockFieldAsset, type RockFieldOptions, rockField } from './rock-field.js';
export { coverageAbove, numberDensity, type RockStatistic } from './rock-sizes.js';
export { type AngularRockOptions, angularRock, type BelgianBlockOptions, belgianBlock } from './stones.js';
export { flatTerrain, type Layer, Terrain, type TerrainOptions, type TerrainPiece, terrain } from './terrain.js';
export { grouserLine, treadRadius, type WheelAsset, wheel, wheelId } from './wheel.js';
export { type WheelOptions, type WheelParameters, wheelParameters } from './wheel-parameters.js';
