import type { RefObject, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { theme } from '../preference/theme.ts'
import { useStore } from '../store.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Format, useFormat } from '../text/format.ts'
import { type Text, useSay } from '../text/text.ts'
import { type AxisNames, axisLabels } from './axis-labels.ts'

/** One line or stack of a chart. */
export type Series = {
  readonly label: Text
  /** A colour token of the style, such as `--ok`. */
  readonly colour: string
  /** One value for each instant; null where there is none. */
  readonly values: readonly (number | null)[]
}

type ChartProps = AxisNames & {
  /** Says what the chart shows, and replaces it for a screen reader together with the table. */
  readonly title: string
  /** In seconds since the epoch, ascending. */
  readonly instants: readonly number[]
  readonly series: readonly Series[]
  /** `bars`: stacked, each as wide as a step. */
  readonly shape: 'bars' | 'lines'
  /** How a value is named in the table. */
  readonly format: (value: number) => string
}

const height = 180

/** A chart over time, with the table of its values. */
export function Chart(props: ChartProps): VNode {
  const { title, series } = props
  const say = useSay()
  const place = usePlot(props)
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {series.map(({ label, colour }) => (
            <li key={colour}>
              <span class={`swatch ${colour.slice(2)}`} /> {say(label)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} aria-hidden="true" />
      <details>
        <summary>{say(generalTexts.values)}</summary>
        <ValueTable {...props} />
      </details>
    </figure>
  )
}

/** Draws into the element of the reference, again whenever values, theme or language change. */
function usePlot(props: ChartProps): RefObject<HTMLDivElement | null> {
  const { instants, series } = props
  const place = useRef<HTMLDivElement>(null)
  const shown = useStore(theme)
  const spoken = useFormat() // another one in each language and zone
  useEffect(() => {
    const element = place.current
    if (!element) return
    let plot = drawn(element, props, spoken)
    const redraw = (): void => {
      plot.destroy()
      plot = drawn(element, props, spoken)
    }
    const sizes = new ResizeObserver(() => {
      if (plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height })
    })
    sizes.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [instants, series, shown, spoken])
  return place
}

function ValueTable({ title, instants, series, format, nameOf, zone, unit }: ChartProps): VNode {
  const say = useSay()
  return (
    <div class="scroll values" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              {say(generalTexts.instant)}, {zone}
            </th>
            {series.map(({ label, colour }) => (
              <th key={colour} scope="col" class="end">
                {say(label)}, {unit}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {instants.map((at, index) => (
            <tr key={at}>
              <th scope="row">{nameOf(at)}</th>
              {series.map(({ colour, values }) => {
                const value = values[index] ?? null
                return (
                  <td key={colour} class="end">
                    {value === null ? '–' : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function drawn(element: HTMLElement, props: ChartProps, spoken: Format): UPlot {
  const { instants, series, shape } = props
  const [time, values] = axisLabels(props, spoken)
  const colours = getComputedStyle(element)
  const colourOf = (token: string): string => resolved(element, token)
  const axis: UPlot.Axis = {
    stroke: colourOf('--muted'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${colours.fontFamily}`,
    labelFont: `11px ${colours.fontFamily}`,
    labelSize: 16,
  }
  const sums = shape === 'bars' ? stacked(series) : series.map(({ values }) => [...values])
  const plotted = series.map(({ colour }, at): UPlot.Series => {
    const stroke = colourOf(colour)
    return {
      stroke,
      width: shape === 'bars' ? 0 : 2,
      points: { show: shape === 'lines', size: 5, fill: stroke },
      ...(shape === 'bars' && {
        fill: stroke,
        paths: UPlot.paths.bars?.({ size: [0.8, 24], align: 1 }) ?? (() => null),
      }),
      label: String(at),
    }
  })
  return new UPlot(
    {
      width: element.clientWidth,
      height,
      padding: [16, 40, 0, 0], // Half of the last instant's label is right of it.
      legend: { show: false },
      cursor: { show: false },
      scales: {
        // A bar begins at its instant, so the last one needs a step more.
        x: { range: (_plot, min, max) => [min, max + stepOf(instants)] },
        y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
      },
      axes: [
        { ...axis, ...time, size: 24, grid: { show: false }, space: 90 },
        { ...axis, ...values, size: widthOf },
      ],
      series: [{}, ...plotted.toReversed()],
    },
    [[...instants], ...sums.toReversed()],
    element,
  )
}

/** No label is cut: `1,000,000` takes more than `10`. */
const widthOf = (_plot: UPlot, labels: readonly string[] | null): number =>
  (labels ?? []).reduce((widest, { length }) => Math.max(widest, length * 7 + 16), 52)

const stepOf = ([first = 0, second = first]: readonly number[]): number => second - first

/** Each series on top of those before it; drawn from the last to the first. */
function stacked(series: readonly Series[]): (number | null)[][] {
  const sums: number[] = []
  return series.map(({ values }) => values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))))
}

/** The colour that a token has in the present theme: a canvas reads no tokens. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
