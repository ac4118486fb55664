/** What other areas may ask of clients. */
export { createClient } from './client.handlers.ts'
export { client } from './client.resource.ts'
export { clientsArea } from './clients.area.ts'
export { groupsArea } from './groups/groups.area.ts'
export { phoneBookArea } from './phone-book/phone-book.area.ts'
export { existAnswer, existInput, personExists } from './person-exists.ts'
