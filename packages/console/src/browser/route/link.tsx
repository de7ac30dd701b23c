import type { ComponentChildren, VNode } from 'preact'
import { addressOf, navigate } from './router.ts'

type LinkProps = {
  /** Path and query in the console. */
  readonly to: string
  readonly class?: string
  readonly title?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** A link to another place of the console, which loads no page. */
export function Link({ to, isCurrent = false, children, ...props }: LinkProps): VNode {
  const follow = (event: MouseEvent): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (!isPlain || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={addressOf(to)} onClick={follow} {...(isCurrent && { 'aria-current': 'page' as const })} {...props}>
      {children}
    </a>
  )
}
