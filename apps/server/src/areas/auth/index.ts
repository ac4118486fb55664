/** What other areas may ask of auth. */
export { authArea } from './auth.area.ts'
export { isRedirectAddress } from './codes.ts'
export { requirePassword, setPassword } from './credentials.ts'
export { requestAuthMail } from './mail.job.ts'
export { resetSecondFactors } from './second-factor.ts'
export { readSignIns, signInsAnswer } from './sign-ins.ts'
