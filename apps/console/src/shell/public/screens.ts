import { lazy } from 'react'
import type { FunctionComponent } from 'react'
import { isConfirming } from '../factor/confirming.ts'

export interface PublicScreen {
  path: string
  title: string
  component: FunctionComponent
  /** Where signed-in users are sent instead: 'home', or a path. */
  whenSignedIn?: 'home' | '/profile' | '/profile/change-password'
  /** Where they are sent before that, who come here for something else. */
  detour?: (search: object) => string | undefined
}

const screen = <Name extends string>(load: () => Promise<Record<Name, FunctionComponent>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))
const login = () => import('./LoginScreen.tsx')
const links = () => import('./links.tsx')
const passwords = () => import('./passwords.tsx')
const saml = () => import('./SamlScreen.tsx')
const messages = () => import('./messages.tsx')
const impersonation = () => import('./impersonation.tsx')

/** A provider's answer that is not taken leads to /saml, whoever asked: who is signed in wanted to confirm something. */
const refusedConfirmation = (search: object) => ('problem' in search && isConfirming() ? '/profile?problem=refused' : undefined)

/** Every public route of the specification; * is the router's not-found screen. Pages of links to people outside are the server's own (publicPage). */
export const publicScreens: readonly PublicScreen[] = [
  { path: '/login', title: 'Sign in', component: screen(login, 'LoginScreen'), whenSignedIn: 'home' },
  { path: '/login/oauth/authorize', title: 'Sign in', component: screen(login, 'LoginScreen') },
  { path: '/token', title: 'Sign in with a code', component: screen(links, 'TokenScreen'), whenSignedIn: 'home' },
  { path: '/impersonate/:id/:name', title: 'Work as another user', component: screen(impersonation, 'ImpersonateScreen') },
  { path: '/forgot-password', title: 'Forgot password', component: screen(passwords, 'ForgotPasswordScreen'), whenSignedIn: '/profile' },
  {
    path: '/update-password',
    title: 'Choose a new password',
    component: screen(passwords, 'ResetPasswordScreen'),
    whenSignedIn: '/profile/change-password',
  },
  { path: '/logout', title: 'Sign out', component: screen(links, 'LogoutScreen') },
  { path: '/end-impersonation', title: 'End User Impersonation', component: screen(impersonation, 'EndImpersonationScreen') },
  { path: '/reset-password/:token', title: 'Choose a new password', component: screen(passwords, 'ResetPasswordScreen') },
  { path: '/verify/:token', title: 'Confirm your e-mail address', component: screen(links, 'VerifyScreen') },
  { path: '/account/verification/:userId/:token', title: 'Confirm your account', component: screen(links, 'VerifyScreen') },
  { path: '/not-me/:token', title: 'This was not me', component: screen(links, 'NotMeScreen') },
  { path: '/saml', title: 'Single sign-on', component: screen(saml, 'SamlScreen'), whenSignedIn: 'home', detour: refusedConfirmation },
  { path: '/not-authorized', title: 'Not authorised', component: screen(messages, 'NotAuthorizedScreen') },
  { path: '/coming-soon', title: 'Coming soon', component: screen(messages, 'ComingSoonScreen') },
  { path: '/offline', title: 'Offline', component: screen(messages, 'OfflineScreen') },
]
