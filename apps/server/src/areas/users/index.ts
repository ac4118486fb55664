/** What other areas may ask of users. */
export { user } from './user.resource.ts'
export { userTiles } from './user.tiles.ts'
export { usersArea } from './users.area.ts'
