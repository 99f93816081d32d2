/** An activity whose room is not furnished yet: says so. */

import type { IconName } from '../../viewer/controls/element.js';
import { element } from '../../viewer/controls/element.js';
import type { Activity, ActivityName, Studio } from '../activity.js';

export const soon = (name: ActivityName, label: string, icon: IconName): Activity => ({
  name,
  label,
  icon,
  keys: [],
  playbackKeys: false,
  picks: true,
  mount: ({ rooms }: Studio) => {
    rooms.setLeft([]);
    rooms.setRight([]);
    rooms.over.append(element('p', { class: 'studio-empty' }, `${label} is not part of this build.`));
  },
  unmount: () => undefined,
});
