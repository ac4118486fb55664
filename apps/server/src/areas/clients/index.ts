/** What other areas may ask of clients. */
export { createClient, deregisterUssd } from './client.handlers.ts'
export { client } from './client.resource.ts'
export { clientsArea } from './clients.area.ts'
export { groupsArea } from './groups/groups.area.ts'
export { phoneBookArea } from './phone-book/phone-book.area.ts'
export { existAnswer, existInput, personExists } from './person-exists.ts'
export { duplicatesOf } from './merging/person-duplicates.ts'
export { duplicatesAnswer, duplicatesPanel, mergesAnswer, mergesPanel } from './merging/person-merges.ts'
