/** What other areas may ask of auth. */
export { authArea } from './auth.area.ts'
export { isPasswordOf, setPassword } from './credentials.ts'
export { refuseWhileImpersonating } from './impersonation.handlers.ts'
export { requestAuthMail } from './mail.job.ts'
