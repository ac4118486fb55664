/** Mark in the page's timeline: all that is kept for the road has been fetched. Somebody who measures a sign-in sees it, and tests wait for it. */
export const keptForTheRoad = 'outpost: kept for the road'
