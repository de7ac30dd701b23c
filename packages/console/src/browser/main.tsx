import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme } from './preference/theme.ts'
import { applyHistory } from './route/router.ts'
import { watchPresence } from './api/presence.ts'
import { findSession } from './api/session.ts'
import { applyLanguage } from './text/text.ts'

applyTheme()
applyLanguage()
applyHistory()
watchPresence()
const root = document.querySelector('#console')
if (root) render(<App />, root)
void findSession()
