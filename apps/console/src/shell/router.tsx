import { createBrowserHistory, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { AnyRoute, RouteComponent } from '@tanstack/react-router'
import type { ScreenEntry } from '@outpost/contract/console'
import { lazy } from 'react'
import { getConnection } from '../data/connection.ts'
import { knowScreens } from '../data/errors/known-paths.ts'
import { safeRedirect } from '../session/redirect.ts'
import { getSession } from '../session/store.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { RootLayout } from './RootLayout.tsx'
import { detourOf } from './guard.ts'
import type { GuardedScreen } from './guard.ts'
import { ScreenHost, StandardLayout } from './layout/later.ts'
import { isGuardedPath, routedScreens, routerPath } from './paths.ts'
import { publicScreens } from './public/screens.ts'
import type { PublicScreen } from './public/screens.ts'
import { PublicLayout } from './public/PublicLayout.tsx'

const PlainLayout = lazy(() => import('./layout/PlainLayout.tsx').then((file) => ({ default: file.PlainLayout })))
const message = (name: 'NotFoundScreen' | 'LoneNotFoundScreen') =>
  lazy(() => import('./public/messages.tsx').then((file) => ({ default: file[name] })))
const [NotFoundScreen, LoneNotFoundScreen] = [message('NotFoundScreen'), message('LoneNotFoundScreen')]
const profile = (name: 'ProfileScreen' | 'EditProfileScreen' | 'ChangePasswordScreen' | 'SignInsScreen') =>
  lazy(() => import('./profile/screens.tsx').then((file) => ({ default: file[name] })))

const NotificationsScreen = lazy(() =>
  import('./notifications/NotificationsScreen.tsx').then((file) => ({ default: file.NotificationsScreen })),
)

const profileScreens = [
  { path: '/notifications', title: 'Notifications', offline: true, component: NotificationsScreen },
  { path: '/profile', title: 'Profile', offline: true, component: profile('ProfileScreen') },
  { path: '/profile/edit', title: 'Edit profile', offline: false, component: profile('EditProfileScreen') },
  { path: '/profile/sign-ins', title: 'Sign-in history', offline: false, component: profile('SignInsScreen') },
  { path: '/profile/change-password', title: 'Change password', offline: false, component: profile('ChangePasswordScreen') },
] as const
const insideLayout = new Set(['/not-authorized', '/coming-soon', '/offline'])
const history = createBrowserHistory()

/** What a route passes to the layout around it. */
export interface RouteFacts {
  title: string
  screen?: ScreenEntry
}

/** The router over the public screens, the profile and whatever screens the layout of the signed-in user names. */
export function makeRouter() {
  const root = createRootRoute({ component: RootLayout, notFoundComponent: LoneNotFoundScreen, errorComponent: ErrorScreen })
  const own = new Set([...publicScreens, ...profileScreens].map(({ path }) => path))
  const screens = routedScreens(getSession().layout?.screens ?? [], own)
  knowScreens([...own, ...screens.map(({ path }) => path)])
  const layout = (id: string, component: RouteComponent, children: (parent: AnyRoute) => AnyRoute[]): AnyRoute => {
    const route = createRoute({ getParentRoute: () => root, id, component, errorComponent: ErrorScreen })
    return route.addChildren(children(route))
  }
  const isIn = getSession().phase === 'in'
  // Who is signed in keeps the menu where the console only has something to say.
  const [inside, lone] = [
    publicScreens.filter(({ path }) => isIn && insideLayout.has(path)),
    publicScreens.filter(({ path }) => !isIn || !insideLayout.has(path)),
  ]
  const nowhere = (parent: AnyRoute, component: RouteComponent) =>
    createRoute({ getParentRoute: () => parent, path: '$', component, staticData: facts('Not found'), beforeLoad: askToSignIn })
  const routeTree = root.addChildren([
    layout('public', PublicLayout, (parent) => lone.map((screen) => publicRoute(parent, screen))),
    layout('standard', StandardLayout, (parent) => [
      ...screens.filter((screen) => screen.layout === 'standard').map((screen) => screenRoute(parent, screen)),
      ...profileScreens.map((screen) => guardedRoute(parent, { ...screen, permitted: true })),
      ...inside.map((screen) => publicRoute(parent, screen)),
      ...(isIn ? [nowhere(parent, NotFoundScreen)] : []),
    ]),
    layout('plain', PlainLayout, (parent) =>
      screens.filter((screen) => screen.layout === 'plain').map((screen) => screenRoute(parent, screen)),
    ),
    ...(isIn ? [] : [nowhere(root, LoneNotFoundScreen)]),
  ])
  return createRouter({
    routeTree,
    history,
    defaultPreload: false,
    scrollRestoration: true,
    defaultErrorComponent: ErrorScreen,
    trailingSlash: 'preserve',
  })
}

function publicRoute(parent: AnyRoute, { path, title, component, whenSignedIn, detour }: PublicScreen): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: routerPath(path),
    component,
    staticData: facts(title),
    beforeLoad: ({ search }: { search: unknown }) => {
      const { phase, layout } = getSession()
      if (phase !== 'in' || !layout || !whenSignedIn) return
      const aside = detour?.(search as object)
      if (aside !== undefined) throw redirect({ href: aside, replace: true })
      const back = whenSignedIn === 'home' ? safeRedirect((search as { redirectFrom?: unknown }).redirectFrom, location.origin) : null
      throw redirect({ href: back ?? (whenSignedIn === 'home' ? layout.landing : whenSignedIn), replace: true })
    },
  })
}

function screenRoute(parent: AnyRoute, screen: ScreenEntry): AnyRoute {
  return guardedRoute(parent, { ...screen, component: ScreenHost, screen })
}

function guardedRoute(
  parent: AnyRoute,
  route: GuardedScreen & { path: string; title: string; component: RouteComponent; screen?: ScreenEntry },
): AnyRoute {
  const { path, title, component, screen } = route
  return createRoute({
    getParentRoute: () => parent,
    path: routerPath(path),
    component,
    staticData: facts(title, screen),
    beforeLoad: ({ location: { href } }) => {
      const detour = detourOf(route, { ...getSession(), from: href, isOnline: getConnection().isOnline })
      if (detour) throw redirect({ ...detour, replace: true })
    },
  })
}

/** A stranger does not know which screens exist: guarded addresses ask to sign in first. */
function askToSignIn({ location: { pathname, href } }: { location: { pathname: string; href: string } }): void {
  if (getSession().phase === 'in' || !isGuardedPath(pathname)) return
  throw redirect({ to: '/login', search: { redirectFrom: href }, replace: true })
}

function facts(title: string, screen?: ScreenEntry): RouteFacts {
  return screen ? { title, screen } : { title }
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string
    screen?: ScreenEntry
  }
}
