import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Zone } from '../preference/zone.ts'
import { useFormat } from '../text/format.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'

type TimeProps = {
  readonly at: string
  /** The zone of a page that has its own. */
  readonly zone?: Zone
}

/** An instant of the API in the chosen time zone, which is named; UTC on hover. */
export function Time({ at, zone }: TimeProps): VNode {
  const { instant } = useFormat(zone)
  return (
    <time dateTime={at} title={at}>
      {instant(at)}
    </time>
  )
}

type AmountProps = { readonly of: string; readonly currency: string }

/** An amount with all its digits. @param props.of  the decimal text of the API */
export function Amount({ of, currency }: AmountProps): VNode {
  const { amount } = useFormat()
  return (
    <span class="amount">
      {amount(of)} <span class="muted">{currency}</span>
    </span>
  )
}

type CopyProps = {
  readonly text: string
  /** Names the text to screen readers. */
  readonly of?: string
  readonly label?: Text
}

/** Copies a text. */
export function Copy({ text, of, label = generalTexts.copy }: CopyProps): VNode {
  const say = useSay()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {say(isCopied ? generalTexts.copied : label)}
      {of !== undefined && <span class="hidden"> {of}</span>}
    </button>
  )
}

/** An id that can be copied. */
export function CopyId({ id }: { readonly id: string }): VNode {
  return (
    <span class="copy">
      <code>{id}</code>
      <Copy text={id} of={id} />
    </span>
  )
}

/** An id or address as tables show it: `po_…0000000A`, `TQn9Y2…w5KcbLSE`. Screen readers and searches in the page have it whole. */
export const ShortId = ({ id }: { readonly id: string }): VNode => (
  <code title={id}>
    <span class="hidden">{id}</span>
    <span aria-hidden="true">{id.replace(/^([a-z]{2,5}_|.{6}(?=.{16})).{10,}(?=.{8}$)/, '$1…')}</span>
  </code>
)

/** Stands for what there is not. */
export function Nothing(): VNode {
  const say = useSay()
  return (
    <span class="muted">
      <span aria-hidden="true">–</span>
      <span class="hidden">{say(generalTexts.nothing)}</span>
    </span>
  )
}

/** A time that something took. @param props.of  null: there is none */
export function Ms({ of }: { readonly of: number | null }): VNode {
  const { count } = useFormat()
  return of === null ? <Nothing /> : <>{count(Math.round(of))} ms</>
}
