import { useCallback, useEffect, useMemo } from 'react'
import { Button, Select } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import type { ListView, MapLayout as MapLayoutView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { hasPlace, MapView, metres } from '../../../../map/index.ts'
import type { MapPoint } from '../../../../map/index.ts'
import { t } from '../../../../session/labels.ts'
import { toneOf } from '../../../../theme/tones.ts'
import { rowId } from '../../../actions/call.ts'
import { textOf, useAddress } from '../../../address.ts'
import { optionOf } from '../../../fields/choices/choice.tsx'
import { ErrorState, LoadingState, NothingMatches } from '../../../states/index.tsx'
import { isNarrowed, plainFilter } from '../list-state.ts'
import { titleOf } from '../table/table-columns.tsx'
import type { LayoutProps } from './layout-props.ts'
import { boxTerms, nearText, parseNear, radii } from './near.ts'
import type { Near } from './near.ts'
import { maxRows, useAllRows } from './useAllRows.ts'
import { numberFormat } from '../../../../session/language.ts'

/** The rows of a list on a map: clusters, a list of what is in view, "near me", choosing by drawing around. */
export function MapLayout({
  layout,
  view,
  query,
  params,
  isReady,
  filter,
  selected,
  onSelect,
  onPeek,
  onRows,
  onChange,
}: LayoutProps & { layout: MapLayoutView }) {
  const { address, patch } = useAddress()
  const near = useMemo(() => (layout.near ? parseNear(address.near) : undefined), [layout.near, address.near])
  const asked = useMemo(
    () => (near ? { ...query, filter: [...(query.filter ?? []), ...boxTerms(view, layout, near)] } : query),
    [query, near, view, layout],
  )
  const { data, error, isPending, isPlaceholderData, refetch } = useAllRows({ view, query: asked, params, isReady })
  const { points, byId } = useMemo(() => pointsOf(view, layout, data?.rows ?? [], near), [view, layout, data, near])
  useEffect(() => onRows([...byId.values()]), [byId, onRows])
  const ids = useMemo(() => new Set(selected.keys()), [selected])
  const open = useCallback((point: MapPoint) => onPeek(point.id), [onPeek])
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} what={t('This map')} />
  if (isPending) return <LoadingState rows={10} />
  if (data.rows.length === 0 && isNarrowed(filter)) return <NothingMatches onClear={() => onChange(plainFilter(view))} />
  const add = (chosen: string[]) =>
    onSelect?.(
      new Map([
        ...selected,
        ...chosen.flatMap((id) => {
          const row = byId.get(id)
          return row ? [[id, row] as const] : []
        }),
      ]),
    )
  return (
    <div data-former={isPlaceholderData} aria-busy={isPlaceholderData}>
      <div className="map-layout-bar">
        <span role="status">{placedWords(points.length, data.rows.length, data.meta.total, near)}</span>
        {near ? (
          <>
            <Select
              size="small"
              aria-label={t('Radius')}
              value={near.km}
              options={radii.map((km) => ({ value: km, label: `${km} km` }))}
              onChange={(km) => patch({ near: nearText({ ...near, km }) })}
            />
            <Button size="small" onClick={() => patch({ near: undefined })}>
              {t('Show all places')}
            </Button>
          </>
        ) : null}
      </div>
      <MapView
        label={`${t(view.title)}: ${t('map')}`}
        points={points}
        selected={ids}
        onOpen={open}
        onSelect={onSelect ? add : undefined}
        areas={near ? [{ id: 'near', lat: near.lat, lng: near.lng, radius: near.km * 1000 }] : undefined}
        viewport={textOf(address.map)}
        onViewport={(map) => patch({ map })}
        onNear={layout.near ? (place) => patch({ near: nearText({ ...place, km: near?.km ?? 5 }), map: undefined }) : undefined}
      />
    </div>
  )
}

function pointsOf(
  view: ListView,
  layout: MapLayoutView,
  rows: readonly Row[],
  near: Near | undefined,
): { points: MapPoint[]; byId: Map<string, Row> } {
  const colour = view.fields.find((field) => field.key === layout.colourKey)
  const byId = new Map<string, Row>()
  const points: MapPoint[] = []
  for (const row of rows) {
    const place = { lat: numberOf(row[layout.latKey]), lng: numberOf(row[layout.lngKey]) }
    if (!hasPlace(place) || (near && metres(place, near) > near.km * 1000)) continue
    const id = rowId(row, view.idKey)
    byId.set(id, row)
    points.push({
      id,
      ...place,
      label: layout.labelKey ? String(row[layout.labelKey] ?? '') : titleOf(view, row),
      ...coloured(colour, row),
    })
  }
  return { points, byId }
}

/** Decimals may travel as text. */
const numberOf = (value: unknown): unknown => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value)

function coloured(field: FieldView | undefined, row: Row): Pick<MapPoint, 'note' | 'tone'> {
  const value = field ? row[field.key] : undefined
  if (!field || value === undefined || value === null) return {}
  const option = optionOf(field, value)
  return { note: t(option?.label ?? String(value)), tone: toneOf(option?.colour) }
}

function placedWords(placed: number, loaded: number, total: number, near: Near | undefined): string {
  const count = (value: number) => numberFormat().format(value)
  if (near) return `${count(placed)} ${t('within the circle')}`
  const cut = total > maxRows ? `${t('the first')} ${count(maxRows)}; ` : ''
  return placed === loaded
    ? `${cut}${count(placed)} ${t('on the map')}`
    : `${cut}${count(placed)} ${t('on the map')}, ${count(loaded - placed)} ${t('without a position')}`
}
