import { Button } from 'antd'
import { AimOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { bearing, distanceText, metres, type Place } from '../../../map/index.ts'
import { positionProblem } from '../../../map/position.ts'
import { t } from '../../../session/labels.ts'

/** The way to a vehicle on foot: how far, and an arrow that turns with the phone where it has a compass, else with north on top. */
export function FindIt({ place }: { place: Place }) {
  const [isOn, setOn] = useState(false)
  const turn = () => {
    if (!isOn) askForCompass()
    setOn(!isOn)
  }
  return (
    <div className="fleet-find">
      <Button icon={<AimOutlined aria-hidden />} aria-expanded={isOn} onClick={turn}>
        {t('Find it')}
      </Button>
      {isOn ? <Way place={place} /> : null}
    </div>
  )
}

/** An iPhone tells its compass only after its owner agreed, and asks only in answer to a touch; refused, north stays on top. */
function askForCompass(): void {
  const orientation = globalThis.DeviceOrientationEvent as { requestPermission?: () => Promise<string> } | undefined
  orientation?.requestPermission?.().catch(() => undefined)
}

function Way({ place }: { place: Place }) {
  const me = useOwnPlace()
  const heading = useHeading()
  if (typeof me === 'string') return <p role="status">{t(me)}</p>
  if (!me) return <p role="status">{t('Looking for you')}</p>
  const towards = bearing(me, place)
  return (
    <p role="status">
      <span className="fleet-needle" style={{ rotate: `${Math.round(towards - (heading ?? 0))}deg` }} aria-hidden>
        ↑
      </span>{' '}
      <strong>{distanceText(metres(me, place))}</strong> {t(winds[Math.round(towards / 45) % 8] ?? 'north')}
      {heading === null ? ` · ${t('north is on top')}` : ''}
    </p>
  )
}

const winds = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west']

/** Where this device is, followed; the reason in words where it does not say. */
function useOwnPlace(): Place | string | undefined {
  const [place, setPlace] = useState<Place | string | undefined>(() =>
    'geolocation' in navigator ? undefined : positionProblem(undefined),
  )
  useEffect(() => {
    if (!('geolocation' in navigator)) return undefined
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) => setPlace({ lat: coords.latitude, lng: coords.longitude }),
      ({ code }) => setPlace(positionProblem(code)),
      { enableHighAccuracy: true, maximumAge: 5_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [])
  return place
}

/** Degrees clockwise from north to where the phone points; null without a compass. */
function useHeading(): number | null {
  const [heading, setHeading] = useState<number | null>(null)
  useEffect(() => {
    const turn = (event: DeviceOrientationEvent) => {
      // Safari tells the compass itself, others degrees against the clock.
      const own = (event as { webkitCompassHeading?: number }).webkitCompassHeading
      if (own !== undefined) setHeading(own)
      else if (event.absolute && event.alpha !== null) setHeading((360 - event.alpha) % 360)
    }
    addEventListener('deviceorientationabsolute', turn as EventListener)
    addEventListener('deviceorientation', turn)
    return () => {
      removeEventListener('deviceorientationabsolute', turn as EventListener)
      removeEventListener('deviceorientation', turn)
    }
  }, [])
  return heading
}
