import type { Format } from '../text/format.ts'

/** How a chart names its values. */
export type AxisNames = {
  /** How an instant is named at the axis and in the table. @param seconds  since the epoch */
  readonly nameOf: (seconds: number) => string
  /** The time zone of these names: the label of the axis of time. */
  readonly zone: string
  /** The label of the axis of values. */
  readonly unit: string
}

type AxisLabels = { readonly label: string; values(plot: unknown, ticks: readonly number[]): string[] }

/** All that is written at the axes of a chart, of time and of values. The plot draws it as it is. */
export const axisLabels = (
  { nameOf, zone, unit }: AxisNames,
  { ticks }: Pick<Format, 'ticks'>,
): readonly [AxisLabels, AxisLabels] => [
  { label: zone, values: (_plot, instants) => instants.map(nameOf) },
  { label: unit, values: (_plot, values) => ticks(values) },
]
