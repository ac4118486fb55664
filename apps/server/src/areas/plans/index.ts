/** What other areas may ask of route plans. */
export { plansArea } from './plans.area.ts'
export { planTiles } from './plan.tiles.ts'
