export { apiUsersArea } from './api-users.area.ts'
