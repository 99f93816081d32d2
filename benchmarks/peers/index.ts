/** Everyone who may take part. */
import { cannon } from './cannon.js';
import { jolt } from './jolt.js';
import { mujoco } from './mujoco.js';
import type { PeerPackage } from './peer.js';
import { rapier } from './rapier.js';

export const PEERS: readonly PeerPackage[] = [rapier, jolt, cannon, mujoco];
export { INSTALL, installedVersion, type Peer, type PeerBody, type PeerPackage } from './peer.js';
