import type { VNode } from 'preact'
import { useStore } from './store.ts'
import { layoutTexts } from './text/layout-texts.ts'
import { language, languages, useSay } from './text/text.ts'
import { theme, themes } from './preference/theme.ts'

const languageNames = { en: 'English', es: 'Español' } as const

/** Language and theme. */
export function Preferences(): VNode {
  const say = useSay()
  const spoken = useStore(language)
  const shown = useStore(theme)
  return (
    <span class="preferences">
      <select
        aria-label={say(layoutTexts.language)}
        value={spoken}
        onChange={({ currentTarget: { value } }) => language.set(languages.find((each) => each === value) ?? spoken)}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {languageNames[each]}
          </option>
        ))}
      </select>
      <select
        aria-label={say(layoutTexts.theme)}
        value={shown}
        onChange={({ currentTarget: { value } }) => theme.set(themes.find((each) => each === value) ?? shown)}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {say(layoutTexts[each])}
          </option>
        ))}
      </select>
    </span>
  )
}
