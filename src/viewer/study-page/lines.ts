/** Charts that show no single runs to click: bars of what matters, how a search went, a fit beside its measurements. */
import type { FitReport, StudyReport, TornadoChart } from '../study-report.js';
import { type Chart, figure } from './canvas.js';
import { dot, drawFrame, frameIn, stroke } from './frame.js';
import { type Axis, placeOn } from './rows.js';

const BAR = 24;

/** The longest bar on top; to the right what raises the output */
export function tornado({ output, bars }: TornadoChart): Chart {
  const sorted = [...bars].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const most = Math.max(Number.MIN_VALUE, ...sorted.map(({ value, bar = 0 }) => Math.abs(value) + bar));
  const signed = sorted.some(({ value }) => value < 0);
  return {
    label: `How much each parameter matters for ${output}: ${sorted.map(({ name, value }) => `${name} ${figure(value, 3)}`).join(', ')}`,
    height: () => 16 + BAR * sorted.length,
    draw({ context, width, look }) {
      const names = 150;
      const right = width - 90;
      const zero = signed ? (names + 90 + right) / 2 : names;
      const scale = (right - zero) / most;
      sorted.forEach(({ name, value, bar, doubt }, i) => {
        const y = 8 + BAR * i + BAR / 2;
        context.fillStyle = look.ink;
        context.textAlign = 'right';
        context.fillText(name, names - 10, y, names - 14);
        context.fillStyle = doubt ? look.warning : value < 0 ? look.shade(0.15) : look.accent;
        context.fillRect(Math.min(zero, zero + scale * value), y - 8, Math.max(1, Math.abs(scale * value)), 16);
        const end = zero + scale * value;
        if (bar) {
          context.strokeStyle = look.ink;
          context.lineWidth = 1.5;
          stroke(context, [end - scale * bar, y], [end + scale * bar, y]);
        }
        context.fillStyle = look.quiet;
        context.textAlign = value < 0 ? 'right' : 'left';
        const beside = Math.max(2, scale * (bar ?? 0)) + 6;
        context.fillText(`${figure(value, 3)}${doubt ? ' doubtful' : ''}`, end + (value < 0 ? -beside : beside), y);
      });
      context.strokeStyle = look.quiet;
      context.lineWidth = 1;
      stroke(context, [zero, 4], [zero, 12 + BAR * sorted.length]);
    },
  };
}

const axis = (name: string, unit: string, values: readonly number[], log = false): Axis => {
  const finite = values.filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  const wide = high > low ? [low, high] : [low - 1, low + 1];
  return {
    name,
    unit,
    role: 'output',
    values: Float64Array.from(values),
    words: [],
    low: wide[0],
    high: wide[1],
    log: log && wide[0] > 0,
  };
};

/** Best value so far over the number of runs; by decades where it falls by more than one */
export function convergence({ convergence: steps, goals, fit }: StudyReport): Chart {
  const values = steps.map(([, value]) => (goals[0]?.maximise ? -value : value));
  const across = axis('runs', '', [0, ...steps.map(([runs]) => runs)]);
  const least = Math.min(...values);
  const up = axis(
    fit ? 'sum of squares' : (goals[0]?.name ?? 'best'),
    '',
    values,
    least > 0 && Math.max(...values) > 10 * least,
  );
  return {
    label: `Best so far over ${steps.at(-1)?.[0] ?? 0} runs: ${figure(values.at(-1) ?? Number.NaN)}`,
    height: () => 260,
    draw(sheet) {
      const { context, width, height, look } = sheet;
      const box = frameIn([78, 12, width - 14, height - 44]);
      drawFrame(sheet, box, across, up);
      context.strokeStyle = look.accent;
      context.lineWidth = 2;
      context.beginPath();
      steps.forEach(([runs], i) => {
        const [x, y] = [box.x(placeOn(across, runs)), box.y(placeOn(up, values[i]))];
        if (i === 0) context.moveTo(x, y);
        else {
          context.lineTo(x, box.y(placeOn(up, values[i - 1])));
          context.lineTo(x, y);
        }
      });
      context.stroke();
      context.fillStyle = look.accent;
      for (const [i, [runs]] of steps.entries())
        dot(context, box.x(placeOn(across, runs)), box.y(placeOn(up, values[i])), 2.5);
    },
  };
}

/** Points: measured; line: the fitted run at the same instants */
export function fitChart({ name, unit, times, measured, fitted }: FitReport['signals'][number]): Chart {
  const model = fitted.map((value) => value ?? Number.NaN);
  const across = axis('time', 's', times);
  const up = axis(name, unit, [...measured, ...model]);
  return {
    label: `Measured ${name} and the fitted run`,
    height: () => 260,
    draw(sheet) {
      const { context, width, height, look } = sheet;
      const box = frameIn([78, 12, width - 14, height - 44]);
      drawFrame(sheet, box, across, up);
      context.fillStyle = look.quiet;
      for (const [i, t] of times.entries()) dot(context, box.x(placeOn(across, t)), box.y(placeOn(up, measured[i])), 2);
      context.strokeStyle = look.accent;
      context.lineWidth = 2;
      context.beginPath();
      times.forEach((t, i) => {
        if (Number.isFinite(model[i])) context.lineTo(box.x(placeOn(across, t)), box.y(placeOn(up, model[i])));
      });
      context.stroke();
    },
  };
}
