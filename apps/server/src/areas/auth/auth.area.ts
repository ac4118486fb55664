import * as signed from './session.answers.ts'
import { emptyAnswer } from '../../kernel/resource/answers.ts'
import type { Mail } from '@outpost/platform/mail'
import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { command, noInput, publicCommand, query } from '../../kernel/resource/operations.ts'
import type { Area } from '../../kernel/types.ts'
import { impersonationFailed, passkeyRefused, redirectNotRegistered } from './auth.errors.ts'
import { endImpersonation, impersonate, impersonateInput, logImpersonation, logInput } from './impersonation.handlers.ts'
import { login, loginInput } from './login.handlers.ts'
import { authSettings } from './auth.settings.ts'
import { loginStep, loginStepInput } from './login-step.handlers.ts'
import { authMailJob } from './mail.job.ts'
import { newDeviceJob } from './devices/new-device.job.ts'
import { notMe, notMeInput } from './devices/not-me.handlers.ts'
import { noticeJob } from './devices/notice.job.ts'
import { ownSignIns, signInsAnswer } from './devices/sign-ins.ts'
import { authUrl, authUrlInput, exchangeToken, tokenInput, type StartSaml } from './oauth.ts'
import { forgotInput, forgotPassword, resetInput, resetPassword, verification, verificationInput, verify, verifyInput } from './password/password.handlers.ts'
import { passkeyLogin, passkeyLoginInput, passkeyOptions } from './passkeys/passkey-login.handlers.ts'
import { addedPasskeyAnswer, creationAnswer, passkeysAnswer, requestAnswer } from './passkeys/passkey.answers.ts'
import * as passkey from './passkeys/passkey.handlers.ts'
import { biometric, refresh, refreshByPath, refreshInput, refreshPathInput } from './refresh.handlers.ts'
import * as factor from './factor/second-factor.handlers.ts'
import {
  type ProviderSignOut, deviceInput, endSessions, endSessionsInput, listSessions, logout, registerDevice, selectTenant, selectTenantInput, sessionsAnswer, ticket, ticketAnswer,
} from './session.handlers.ts'

const signIn = open('there is no session before signing in')
const mailed = open('the secret of a mailed link is what admits')
/** Everything here writes through the role fx_auth, in transactions of its own. */
const own = { own: true, ownTransaction: true }
/** What is about the caller's own session: an API user has none. */
const ofSession = { ...own, peopleOnly: true }
/** What changes how one signs in: by the person alone, and not as fast as one can guess. */
const own10 = { ...own, limit: 10, inPerson: true, peopleOnly: true }
const guarded = { ownTransaction: true, limit: 10 }

/** Signing in and out, sessions, passwords, impersonation. `startSaml` and `providerSignOut` know the identity providers, where there can be any. */
export function authArea({ mail, startSaml, providerSignOut }: { mail: Mail; startSaml?: StartSaml; providerSignOut?: ProviderSignOut }): Area {
  return defineArea({
    name: 'auth',
    settings: authSettings,
    errors: [impersonationFailed, passkeyRefused, redirectNotRegistered],
    routes: [
      route('auth.login',            'POST', '/api/auth/login',                 signIn, publicCommand(loginInput, login, signed.loginAnswer), guarded),
      route('auth.loginStep',        'POST', '/api/auth/login/step',            signIn, publicCommand(loginStepInput, loginStep, signed.loginStepAnswer), guarded),
      route('auth.passkeyOptions',   'POST', '/api/auth/login/passkey/options', signIn, publicCommand(noInput, passkeyOptions, requestAnswer), { ownTransaction: true, limit: 60 }),
      route('auth.passkeyLogin',     'POST', '/api/auth/login/passkey',         signIn, publicCommand(passkeyLoginInput, passkeyLogin, signed.passkeyLoginAnswer), guarded),
      route('auth.token',            'POST', '/api/auth/token',                 signIn, publicCommand(tokenInput, exchangeToken, signed.signedInAnswer), guarded),
      route('auth.biometric',        'POST', '/api/auth/biometric',             signIn, publicCommand(refreshPathInput, biometric, signed.signedInAnswer), guarded),
      route('auth.refresh',          'POST', '/api/auth/refresh',               signIn, publicCommand(refreshInput, refresh, signed.signedInAnswer), { ...own, limit: 120 }),
      route('auth.refreshByPath',    'GET',  '/api/auth/refresh/:refreshToken', signIn, publicCommand(refreshPathInput, refreshByPath, signed.signedInAnswer), { ownTransaction: true, limit: 60 }),
      route('auth.url',              'GET',  '/api/auth/auth-url/:x',           signIn, publicCommand(authUrlInput, authUrl(startSaml), signed.urlAnswer), { ownTransaction: true, limit: 60 }),
      route('auth.forgotPassword',   'POST', '/api/auth/forgot-password',       signIn, publicCommand(forgotInput, forgotPassword, emptyAnswer), guarded),
      route('auth.resetPassword',    'POST', '/api/auth/reset-password',        mailed, publicCommand(resetInput, resetPassword, emptyAnswer), guarded),
      route('auth.verify',           'POST', '/api/auth/verify',                mailed, publicCommand(verifyInput, verify, emptyAnswer), guarded),
      route('auth.verification',     'POST', '/api/auth/verification',          mailed, publicCommand(verificationInput, verification, signed.verificationAnswer), guarded),
      route('auth.notMe',            'POST', '/api/auth/not-me',                mailed, publicCommand(notMeInput, notMe, signed.notMeAnswer), guarded),
      route('auth.logout',           'GET',  '/api/auth/logout',                anySession, command(noInput, logout(providerSignOut), signed.logoutAnswer), { peopleOnly: true, ownTransaction: true, beforePasswordChange: true }),
      route('auth.impersonate',      'POST', '/api/auth/impersonate',           may('ADMIN/USERS/IMPERSONATE'), command(impersonateInput, impersonate, signed.signedInAnswer), { ownTransaction: true, inPerson: true }),
      route('auth.logImpersonation', 'POST', '/api/auth/logImpersonation',      anySession, command(logInput, logImpersonation, signed.stateAnswer), { peopleOnly: true, ownTransaction: true }),
      route('auth.endImpersonation', 'POST', '/api/auth/end-impersonation',     anySession, command(noInput, endImpersonation, signed.endedImpersonationAnswer), ofSession),
      route('auth.ticket',           'POST', '/api/auth/ticket',                anySession, command(noInput, ticket, ticketAnswer), ofSession),
      route('auth.sessions',         'GET',  '/api/auth/sessions',              anySession, query(noInput, listSessions, sessionsAnswer), ofSession),
      route('auth.signIns',          'GET',  '/api/auth/sign-ins',              anySession, query(noInput, ownSignIns, signInsAnswer), { ...ofSession, summary: 'When, how and from where the caller signed in' }),
      route('auth.endSessions',      'POST', '/api/auth/sessions/end',          anySession, command(endSessionsInput, endSessions, signed.endedAnswer), { ...own, inPerson: true }),
      route('auth.registerDevice',   'POST', '/api/auth/device',                anySession, command(deviceInput, registerDevice, signed.deviceAnswer), { ...own, limit: 10, inPerson: true }),
      route('auth.selectTenant',     'POST', '/api/auth/select-tenant',         anySession, command(selectTenantInput, selectTenant, signed.selectedTenantAnswer), ofSession),
      route('auth.secondFactor',      'GET',  '/api/auth/second-factor',                anySession, query(noInput, factor.secondFactor, signed.secondFactorAnswer), ofSession),
      route('auth.startSecondFactor', 'POST', '/api/auth/second-factor',                anySession, command(factor.startInput, factor.startSecondFactor, signed.enrolmentAnswer), own10),
      route('auth.confirmSecondFactor', 'POST', '/api/auth/second-factor/confirm',      anySession, command(factor.codeInput, factor.confirmSecondFactor, signed.recoveryCodesAnswer), own10),
      route('auth.renewRecoveryCodes', 'POST', '/api/auth/second-factor/recovery-codes', anySession, command(factor.provenInput, factor.renewRecoveryCodes, signed.recoveryCodesAnswer), own10),
      route('auth.endSecondFactor',   'POST', '/api/auth/second-factor/end',            anySession, command(factor.provenInput, factor.endSecondFactor, emptyAnswer), own10),
      route('auth.passkeys',          'GET',  '/api/auth/passkeys',                     anySession, query(noInput, passkey.listPasskeys, passkeysAnswer), ofSession),
      route('auth.startPasskey',      'POST', '/api/auth/passkeys/options',             anySession, command(passkey.startPasskeyInput, passkey.startPasskey, creationAnswer), own10),
      route('auth.addPasskey',        'POST', '/api/auth/passkeys',                     anySession, command(passkey.addPasskeyInput, passkey.addPasskey, addedPasskeyAnswer), own10),
      route('auth.endPasskey',        'POST', '/api/auth/passkeys/end',                 anySession, command(passkey.endPasskeyInput, passkey.endPasskey, emptyAnswer), own10),
    ],
    jobs: [authMailJob(mail), newDeviceJob(mail), noticeJob(mail)],
  })
}
