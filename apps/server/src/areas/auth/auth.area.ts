import type { Mail } from '@outpost/platform/mail'
import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { command, noInput, publicCommand, query } from '../../kernel/resource/operations.ts'
import type { Area } from '../../kernel/types.ts'
import { impersonationFailed, redirectNotRegistered } from './auth.errors.ts'
import { endImpersonation, impersonate, impersonateInput, logImpersonation, logInput } from './impersonation.handlers.ts'
import { login, loginInput } from './login.handlers.ts'
import { authMailJob } from './mail.job.ts'
import { authUrl, authUrlInput, exchangeToken, tokenInput } from './oauth.ts'
import { forgotInput, forgotPassword, resetInput, resetPassword, verification, verificationInput, verify, verifyInput } from './password.handlers.ts'
import { biometric, refresh, refreshByPath, refreshInput, refreshPathInput } from './refresh.handlers.ts'
import {
  deviceInput, endSessions, endSessionsInput, listSessions, logout, registerDevice, selectTenant, selectTenantInput, sessionsAnswer, ticket, ticketAnswer,
} from './session.handlers.ts'

const signIn = open('there is no session before signing in')
const mailed = open('the secret of a mailed link is what admits')
/** Everything here writes through the role fx_auth, in transactions of its own. */
const own = { own: true, ownTransaction: true }
const guarded = { ownTransaction: true, limit: 10 }

/** Signing in and out, sessions, passwords, impersonation. */
export function authArea({ mail }: { mail: Mail }): Area {
  return defineArea({
    name: 'auth',
    errors: [impersonationFailed, redirectNotRegistered],
    routes: [
      route('auth.login',            'POST', '/api/auth/login',                 signIn, publicCommand(loginInput, login), guarded),
      route('auth.token',            'POST', '/api/auth/token',                 signIn, publicCommand(tokenInput, exchangeToken), guarded),
      route('auth.biometric',        'POST', '/api/auth/biometric',             signIn, publicCommand(refreshPathInput, biometric), guarded),
      route('auth.refresh',          'POST', '/api/auth/refresh',               signIn, publicCommand(refreshInput, refresh), { ...own, limit: 120 }),
      route('auth.refreshByPath',    'GET',  '/api/auth/refresh/:refreshToken', signIn, publicCommand(refreshPathInput, refreshByPath), { ownTransaction: true, limit: 60 }),
      route('auth.url',              'GET',  '/api/auth/auth-url/:x',           signIn, publicCommand(authUrlInput, authUrl), { limit: 60 }),
      route('auth.forgotPassword',   'POST', '/api/auth/forgot-password',       signIn, publicCommand(forgotInput, forgotPassword), guarded),
      route('auth.resetPassword',    'POST', '/api/auth/reset-password',        mailed, publicCommand(resetInput, resetPassword), guarded),
      route('auth.verify',           'POST', '/api/auth/verify',                mailed, publicCommand(verifyInput, verify), guarded),
      route('auth.verification',     'POST', '/api/auth/verification',          mailed, publicCommand(verificationInput, verification), guarded),
      route('auth.logout',           'GET',  '/api/auth/logout',                anySession, command(noInput, logout), { ownTransaction: true, beforePasswordChange: true }),
      route('auth.impersonate',      'POST', '/api/auth/impersonate',           may('ADMIN/USERS/IMPERSONATE'), command(impersonateInput, impersonate), { ownTransaction: true, inPerson: true }),
      route('auth.logImpersonation', 'POST', '/api/auth/logImpersonation',      anySession, command(logInput, logImpersonation), { ownTransaction: true }),
      route('auth.endImpersonation', 'POST', '/api/auth/end-impersonation',     anySession, command(noInput, endImpersonation), own),
      route('auth.ticket',           'POST', '/api/auth/ticket',                anySession, command(noInput, ticket, ticketAnswer), own),
      route('auth.sessions',         'GET',  '/api/auth/sessions',              anySession, query(noInput, listSessions, sessionsAnswer), own),
      route('auth.endSessions',      'POST', '/api/auth/sessions/end',          anySession, command(endSessionsInput, endSessions), { ...own, inPerson: true }),
      route('auth.registerDevice',   'POST', '/api/auth/device',                anySession, command(deviceInput, registerDevice), { ...own, limit: 10, inPerson: true }),
      route('auth.selectTenant',     'POST', '/api/auth/select-tenant',         anySession, command(selectTenantInput, selectTenant), own),
    ],
    jobs: [authMailJob(mail)],
  })
}
