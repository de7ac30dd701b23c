import { type Store, store } from '../store.ts'

/** The paths of all pages. `pages.ts` fills it, since pages that link to each other would import each other. */
export const pagePaths: Store<readonly string[]> = store<readonly string[]>([])

/** Whether the console has a page with exactly this path. */
export const hasPage = (path: string): boolean => pagePaths.get().includes(path)
