import { Button, Select } from 'antd'
import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import { useEffect, useMemo, useState } from 'react'
import { MapView, type MapLine, type MapPoint } from '../../../map/index.ts'
import { t } from '../../../session/labels.ts'
import type { Tone } from '../../../theme/tones.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { formatCompanyTime } from '../../../view/formats.ts'
import { piecesOf, placeAt } from './replay.ts'
import { Strips } from './Strips.tsx'
import type { Day, EventRow, Marks, Stop } from './day.ts'

const paces = [1, 4, 16, 64].map((value) => ({ value, label: `${value}×` }))
/** Of the assets that are played along, in the order they were chosen. */
const tones = ['warn', 'bad', 'quiet', 'good'] as const

/** The day on a line of time: play, pace, scrubber, speed, stops and events. */
export function Player({
  day,
  marks: { stops, events },
  others,
}: {
  day: Day
  marks: Pick<Marks, 'stops' | 'events'>
  others: readonly Day[]
}) {
  const { fixes } = day
  const { address, patch } = useAddress()
  const [from, to] = useMemo(() => spanOf([day, ...others]), [day, others])
  const [time, setTime] = useState(from)
  const [isPlaying, setPlaying] = useState(false)
  const [pace, setPace] = useState(16)
  usePlaying({ isPlaying, pace, to, setTime, onEnd: () => setPlaying(false) })
  const now = placeAt(fixes, time)
  const lines = useMemo(
    () => [...waysOf(day, 'info'), ...others.flatMap((other, index) => waysOf(other, tones[index % tones.length] ?? 'quiet'))],
    [day, others],
  )
  const marks = useMemo(() => marksOf(stops, events), [stops, events])
  const points = useMemo(
    (): MapPoint[] => [
      ...marks,
      ...others.flatMap((other, index) => placesNow(other, time, tones[index % tones.length] ?? 'quiet')),
      ...placesNow(day, time, 'good'),
    ],
    [marks, others, day, time],
  )
  const toggle = () => {
    if (time >= to) setTime(from)
    setPlaying(!isPlaying)
  }
  return (
    <>
      <MapView
        label={t('The day')}
        points={points}
        lines={lines}
        isClustered={false}
        hasList={false}
        viewport={textOf(address.map)}
        onViewport={(map) => patch({ map })}
        height="min(520px, 55dvh)"
        onOpen={(point) => jump(point.id, stops, events, setTime)}
      />
      <div className="fleet-replay-bar" role="group" aria-label={t('Player')}>
        <Button
          type="primary"
          icon={isPlaying ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={isPlaying ? t('Pause') : t('Play')}
          onClick={toggle}
        />
        <Select aria-label={t('Pace')} value={pace} onChange={setPace} options={paces} />
        <input
          type="range"
          aria-label={t('Time of day')}
          aria-valuetext={formatCompanyTime(new Date(time).toISOString())}
          min={from}
          max={to}
          step={1_000}
          value={time}
          onChange={(event) => setTime(Number(event.target.value))}
          onKeyDown={(event) => {
            if (event.key !== ' ') return
            event.preventDefault()
            toggle()
          }}
        />
        <output>
          {formatCompanyTime(new Date(time).toISOString())} · {Math.round(now?.speed ?? 0)} km/h
        </output>
      </div>
      {others.length > 0 ? (
        <ul className="fleet-legend" aria-label={t('Played along')}>
          {[day, ...others].map(({ asset: { Id, name }, fixes: own }, index) => (
            <li key={Id} data-tone={index === 0 ? 'info' : tones[(index - 1) % tones.length]}>
              {name}
              {own.length === 0 ? ` · ${t('nothing on this day')}` : ` · ${Math.round(placeAt(own, time)?.speed ?? 0)} km/h`}
            </li>
          ))}
        </ul>
      ) : null}
      <Strips day={day} stops={stops} span={{ from, to }} time={time} />
      <ol className="fleet-rows" aria-label={t('Stops and events')}>
        {[
          ...stops.map((stop) => ({ key: stop.id, at: stop.startTime, words: stopWords(stop) })),
          ...events.map((event) => ({ key: event.eventId, at: event.eventTime, words: t(event.words) })),
        ]
          .toSorted((a, b) => a.at.localeCompare(b.at))
          .map(({ key, at, words }) => (
            <li key={key}>
              <Button size="small" onClick={() => setTime(Math.max(from, Math.min(to, Date.parse(at))))}>
                {formatCompanyTime(at)}
              </Button>
              <span>{words}</span>
            </li>
          ))}
      </ol>
    </>
  )
}

function usePlaying({
  isPlaying,
  pace,
  to,
  setTime,
  onEnd,
}: {
  isPlaying: boolean
  pace: number
  to: number
  setTime: React.Dispatch<React.SetStateAction<number>>
  onEnd: () => void
}): void {
  useEffect(() => {
    if (!isPlaying) return undefined
    let last = performance.now()
    let frame = requestAnimationFrame(function step(stamp) {
      const passed = (stamp - last) * pace
      last = stamp
      setTime((before) => Math.min(to, before + passed))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, pace, to, setTime])
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setInterval(
      () =>
        setTime((before) => {
          if (before >= to) queueMicrotask(onEnd)
          return before
        }),
      500,
    )
    return () => clearInterval(timer)
  }, [isPlaying, to, setTime, onEnd])
}

/** From the first to the last message of all that are played. */
function spanOf(days: readonly Day[]): [from: number, to: number] {
  const told = days.filter(({ fixes }) => fixes.length > 0)
  return [Math.min(...told.map(({ fixes }) => fixes[0]!.time)), Math.max(...told.map(({ fixes }) => fixes.at(-1)!.time))]
}

const waysOf = ({ asset, fixes }: Day, tone: Tone): MapLine[] =>
  piecesOf(fixes).map((piece, index) => ({
    id: `way-${asset.Id}-${index}`,
    positions: piece.map(({ lat, lng }) => [lat, lng] as const),
    tone,
    label: `${asset.registrationNumber}: ${t('The way of the day')}`,
  }))

function placesNow({ asset, fixes }: Day, time: number, tone: Tone): MapPoint[] {
  const now = placeAt(fixes, time)
  if (!now) return []
  const { lat, lng, course } = now
  return [{ id: `now-${asset.Id}`, lat, lng, label: asset.registrationNumber, tone, ...(course === null ? {} : { heading: course }) }]
}

const stopWords = ({ kind, startTime, endTime }: Stop) => {
  const minutes = endTime ? Math.round((Date.parse(endTime) - Date.parse(startTime)) / 60_000) : undefined
  return `${t(kind === 'parked' ? 'Parked' : kind === 'idling' ? 'Stood, engine on' : 'No messages')}${minutes === undefined ? '' : ` · ${t('{{count}} min', { count: minutes })}`}`
}

function marksOf(stops: readonly Stop[], events: readonly EventRow[]): MapPoint[] {
  return [
    ...stops.map((stop, index): MapPoint => ({
      id: stop.id,
      lat: stop.latitude,
      lng: stop.longitude,
      number: index + 1,
      tone: 'info',
      label: stopWords(stop),
      note: formatCompanyTime(stop.startTime),
    })),
    ...events.flatMap((event): MapPoint[] =>
      event.latitude === null || event.longitude === null
        ? []
        : [
            {
              id: event.eventId,
              lat: event.latitude,
              lng: event.longitude,
              tone: event.severity === 'critical' ? 'bad' : event.severity === 'warning' ? 'warn' : 'quiet',
              label: t(event.words),
              note: formatCompanyTime(event.eventTime),
            },
          ],
    ),
  ]
}

function jump(id: string, stops: readonly Stop[], events: readonly EventRow[], setTime: (time: number) => void): void {
  const at = stops.find((stop) => stop.id === id)?.startTime ?? events.find((event) => event.eventId === id)?.eventTime
  if (at !== undefined) setTime(Date.parse(at))
}
