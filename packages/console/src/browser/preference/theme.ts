import type { Store } from '../store.ts'
import { preference } from './preference.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const theme: Store<Theme> = preference<Theme>('theme', themes, 'system')

/** Keeps the page in the chosen theme. The style reads the attribute. */
export function applyTheme(): void {
  const apply = (): void => {
    document.documentElement.dataset['theme'] = theme.get()
  }
  apply()
  theme.follow(apply)
}
