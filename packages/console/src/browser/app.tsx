import type { VNode } from 'preact'
import { Layout } from './layout.tsx'
import { findPage } from './page/pages.ts'
import { place } from './route/router.ts'
import { sessionState } from './api/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { SessionContext } from './session/use-session.ts'
import { useStore } from './store.ts'
import { useSay } from './text/text.ts'

/** Signs in, then shows the page of the address. */
export function App(): VNode | null {
  const state = useStore(sessionState)
  const { path, query } = useStore(place)
  const say = useSay()
  const { page, parameters } = findPage(path)
  const title = say(page.title)

  if (state.is === 'unknown') return null
  if (state.is === 'none') return <SignIn because={state.because} />
  const Page = page.component
  return (
    <SessionContext.Provider value={state.session}>
      <Layout page={page}>
        <Page key={path} parameters={parameters} query={query} title={title} />
      </Layout>
    </SessionContext.Provider>
  )
}
