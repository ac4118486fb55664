import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../data/calls.ts'
import { DrawRing, MapView, Shapes, WatchBox, type Place } from '../../../map/index.ts'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { areasOf, type Fence, type GeoShape } from './fences.ts'
import type { useHistory } from './history.ts'
import { areaOf, ringsOf, sizeOf, sizeText, snapLinesOf, type Rings } from './shape.ts'

export type Task = 'outline' | 'hole' | 'corners'
export interface Drawn {
  shape: Fence['shape']
  area: GeoShape | null
}
interface FenceMapProps {
  id: string | undefined
  drawn: ReturnType<typeof useHistory<Drawn>>
  /** Name, kind and radius in metres, as the form has them. */
  look: Pick<Fence, 'name' | 'type' | 'radius'>
  task: Task | undefined
  onTask: (task: Task | undefined) => void
}
const none: readonly never[] = []
const mostNeighbours = 300

/** The map of a fence in hand: what it is drawn on, with the fences beside it that corners snap to. */
export function FenceMap({ id, drawn, look, task, onTask }: FenceMapProps) {
  const { address, patch } = useAddress()
  const { shape, area } = drawn.now
  const rings = useMemo(() => ringsOf(area), [area])
  const { neighbours, onBox } = useNeighbours(id)
  const snapTo = useMemo(() => snapLinesOf(neighbours, id), [neighbours, id])
  const own = useMemo(
    () => (area && task !== 'corners' ? areasOf([{ id: 'draft', ...look, shape, area }]) : none),
    [area, task, look, shape],
  )
  const others = useMemo(() => areasOf(neighbours).map((one) => ({ ...one, tone: 'quiet' as const })), [neighbours])
  const keep = (next: Rings) => drawn.set({ shape, area: areaOf(next, shape) })
  const wouldBe = (inHand: Rings) => (task === 'hole' ? [...rings, ...inHand] : inHand)
  return (
    <MapView
      label={t('The fence')}
      areas={own}
      hasList={false}
      viewport={textOf(address.map)}
      onViewport={(map) => patch({ map })}
      height="min(720px, 74dvh)"
      {...(shape === 'circle'
        ? { onGround: ({ lat, lng }: Place) => drawn.set({ shape, area: { type: 'Point', coordinates: [lng, lat] } }) }
        : {})}
    >
      <WatchBox onBox={onBox} />
      <Shapes lines={none} areas={others} />
      {task && shape !== 'circle' ? (
        <DrawRing
          kind={shape === 'polygon' ? 'polygon' : 'linestring'}
          task={task === 'corners' ? 'corners' : 'draw'}
          label={t(labels[shape === 'polygon' ? task : `${task}-line`] ?? '')}
          rings={rings}
          snapTo={snapTo}
          sizeText={(inHand) => {
            const size = sizeOf({ shape, rings: wouldBe(inHand), radius: look.radius })
            return size ? sizeText(shape, size) : ''
          }}
          history={drawn}
          onEnd={() => onTask(undefined)}
          onChange={keep}
          onDone={(corners) => {
            keep(task === 'hole' ? [...rings, corners] : [corners])
            onTask(undefined)
          }}
        />
      ) : null}
    </MapView>
  )
}

const labels: Record<string, string> = {
  outline: 'Draw the area',
  hole: 'Draw the hole',
  corners: 'Move the corners',
  'outline-line': 'Draw the line',
  'corners-line': 'Move the corners',
}

/** Fences that the map shows, but for the one in hand. */
function useNeighbours(own: string | undefined) {
  const [box, onBox] = useState<readonly [west: number, south: number, east: number, north: number]>()
  const { data = none } = useQuery({
    queryKey: ['records', 'fence', 'all'],
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call('fences.all', { params: { x: 'map' } }, { signal })).data.geofences,
  })
  const neighbours = useMemo(() => {
    if (!box) return none
    const [west, south, east, north] = box
    const isSeen = ({ lat, lng }: Place) => lat >= south && lat <= north && lng >= west && lng <= east
    const middleOf = ({ area }: Pick<Fence, 'area'>): Place[] => {
      if (area.type !== 'Point') return ringsOf(area).flat()
      const [lng, lat] = area.coordinates
      return [{ lat, lng }]
    }
    return data.filter((fence) => fence.id !== own && middleOf(fence).some(isSeen)).slice(0, mostNeighbours)
  }, [data, box, own])
  return { neighbours, onBox }
}
