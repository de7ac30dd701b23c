import type { VNode } from 'preact'
import { useStore } from './store.ts'
import { layoutTexts, zoneTexts } from './text/layout-texts.ts'
import { language, languages, useSay } from './text/text.ts'
import { theme, themes } from './preference/theme.ts'
import { zone, zones } from './preference/zone.ts'

const languageNames = { en: 'English', es: 'Español' } as const

/** Language, theme and time zone. */
export function Preferences(): VNode {
  const say = useSay()
  const spoken = useStore(language)
  const shown = useStore(theme)
  const chosen = useStore(zone)
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
        aria-label={say(layoutTexts.zone)}
        value={chosen}
        onChange={({ currentTarget: { value } }) => zone.set(zones.find((each) => each === value) ?? chosen)}
      >
        {zones.map((each) => (
          <option key={each} value={each}>
            {say(zoneTexts[each])}
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
