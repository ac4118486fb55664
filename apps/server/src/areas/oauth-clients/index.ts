export { oauthClientsArea } from './oauth-clients.area.ts'
