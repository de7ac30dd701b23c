import type { VNode } from 'preact'
import { Link } from '../route/link.tsx'
import { generalTexts } from '../text/general-texts.ts'
import { useSay } from '../text/text.ts'
import { PageHead } from '../ui/page-head.tsx'
import type { PageProps } from './page.ts'

/** The page of an address that no page has. */
export function Missing({ title }: PageProps): VNode {
  const say = useSay()
  return (
    <>
      <PageHead title={title} />
      <p>{say(generalTexts.missingHint)}</p>
      <p>
        <Link to="/">{say(generalTexts.toOverview)}</Link>
      </p>
    </>
  )
}
