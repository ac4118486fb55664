/** What the house is given of SAML. */
export { samlArea } from './saml.area.ts'
export { startSaml } from './start.ts'
export { providerSignOut } from './sign-out.ts'
