import type { VNode } from 'preact'
import { withQuery } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { useSay } from '../text/text.ts'

type CsvProps = {
  /** The path of the list, below `/operator/v1`. */
  readonly from: string
  readonly filter: Readonly<Record<string, string>>
}

/** Downloads a list as CSV: all that the filters leave, not the page alone. */
export function Csv({ from, filter }: CsvProps): VNode {
  const say = useSay()
  return (
    <a class="button" href={`/operator/v1${withQuery(from, { ...filter, format: 'csv' })}`} download="">
      {say(generalTexts.csv)}
    </a>
  )
}
