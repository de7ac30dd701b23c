import { useEffect, useState } from 'preact/hooks'

/** As in the style: the header has no room for everything. */
const narrow = matchMedia('(width < 60rem)')

/** Whether the window is so narrow that pages are chosen in a menu. */
export function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(narrow.matches)
  useEffect(() => {
    const change = (): void => setIsNarrow(narrow.matches)
    change() // It may have changed between rendering and now.
    narrow.addEventListener('change', change)
    return () => narrow.removeEventListener('change', change)
  }, [])
  return isNarrow
}
