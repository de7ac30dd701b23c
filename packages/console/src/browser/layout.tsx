import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from './page/page.ts'
import { pages } from './page/pages.ts'
import { StopBanner } from './page/payout/payout-stop.tsx'
import { mayBeSecret, searchSecret } from './page/search/found-secret.ts'
import { Preferences } from './preferences.tsx'
import { Link } from './route/link.tsx'
import { navigate, place, withQuery } from './route/router.ts'
import { signOut } from './api/session.ts'
import { useSession } from './session/use-session.ts'
import { useStore } from './store.ts'
import { layoutTexts } from './text/layout-texts.ts'
import { useSay } from './text/text.ts'
import { useIsNarrow } from './ui/narrow.ts'
import { Notices, notify } from './ui/notice.tsx'

type LayoutProps = { readonly page: Page; readonly children: ComponentChildren }

/** The frame of every page. */
export function Layout({ page, children }: LayoutProps): VNode {
  const say = useSay()
  const { path } = useStore(place)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const [isOpen, setIsOpen] = useState(false)
  // A new page begins at its heading, also for the keyboard and for screen readers.
  useEffect(() => {
    if (!isFirst.current) main.current?.querySelector('h1')?.focus()
    isFirst.current = false
    setIsOpen(false)
  }, [path])

  const skip = (event: MouseEvent): void => {
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={skip}>
        {say(layoutTexts.skip)}
      </a>
      <Header isOpen={isOpen} onMenu={() => setIsOpen(!isOpen)} />
      <Navigation current={page.within ?? page.path} isOpen={isOpen} />
      <main id="content" tabIndex={-1} ref={main}>
        <StopBanner />
        {children}
      </main>
      <Notices />
    </div>
  )
}

type HeaderProps = { readonly isOpen: boolean; readonly onMenu: () => void }

function Header({ isOpen, onMenu }: HeaderProps): VNode {
  const say = useSay()
  const { environment } = useSession()
  const isProduction = environment === 'production'
  return (
    <header class="top">
      <button type="button" class="menu" aria-expanded={isOpen} aria-controls="page-list" onClick={onMenu}>
        {say(layoutTexts.menu)}
      </button>
      <Link to="/" class="brand">
        Quipu
      </Link>
      <span class={`environment ${isProduction ? 'is-production' : ''}`}>
        {say(isProduction ? layoutTexts.production : layoutTexts.sandbox)}
      </span>
      <Search />
      {!useIsNarrow() && <Account />}
    </header>
  )
}

/** Who is signed in, and what this browser remembers: in the header, or where it has no room in the menu. */
function Account(): VNode {
  const say = useSay()
  const { person, role } = useSession()
  const leave = (): void => {
    signOut().catch(() => notify(say(layoutTexts.signOutFailed), 'bad'))
  }
  return (
    <div class="account">
      <Preferences />
      <span class="person">
        {person} <span class="muted">{role}</span>
      </span>
      <button type="button" class="quiet" onClick={leave}>
        {say(layoutTexts.signOut)}
      </button>
    </div>
  )
}

function Search(): VNode {
  const say = useSay()
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text === '') return
    if (!mayBeSecret(text)) return navigate(withQuery('/search', { q: text }))
    if (field.current) field.current.value = ''
    void searchSecret(text)
  }
  return (
    <form class="search" role="search" onSubmit={submit}>
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label={say(layoutTexts.search)}
        placeholder={say(useIsNarrow() ? layoutTexts.search : layoutTexts.searchHint)}
      />
    </form>
  )
}

const groups = ['watch', 'money', 'reports', 'tenants', 'control'] as const

type NavigationProps = { readonly current: string; readonly isOpen: boolean }

function Navigation({ current, isOpen }: NavigationProps): VNode {
  const say = useSay()
  const { rights } = useSession()
  const shown = pages.filter(({ right }) => right === undefined || rights.includes(right))
  return (
    <nav class={`pages ${isOpen ? 'is-open' : ''}`} aria-label={say(layoutTexts.pages)}>
      <div id="page-list">
        {groups.map((group) => {
          const members = shown.filter((page) => page.group === group)
          return members.length === 0 ? null : (
            <div key={group} class="group">
              <span class="label">{say(layoutTexts[group])}</span>
              <ul>
                {members.map(({ path, title, count: Count }) => (
                  <li key={path}>
                    <Link to={path} isCurrent={path === current}>
                      {say(title)}
                      {Count && <Count />}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
        {useIsNarrow() && <Account />}
      </div>
    </nav>
  )
}
