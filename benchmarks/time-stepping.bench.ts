// Time stepping beside peers: the same scenes with the same steps, no one resting. The error says what a scene is for: creep, slip, sink, energy from nowhere.
import { scenes } from './contact-lines.js';
import { arch, blocks, gripper, heap, sliding, slope, spinning, stack, wall } from './peers/contact-scenes.js';

scenes('time-stepping/stack', [6], stack, true);
scenes('time-stepping/slope', [1], slope, true);
scenes('time-stepping/sliding', [1], sliding, true);
scenes('time-stepping/spinning', [1], spinning, true);
scenes('time-stepping/wall', [25], wall, true);
scenes('time-stepping/arch', [105, 120], arch, true);
scenes('time-stepping/gripper', [10], gripper, true);
scenes('time-stepping/heap', [30], heap, true);
scenes('time-stepping/blocks', [300, 1000], blocks, true, 3);
