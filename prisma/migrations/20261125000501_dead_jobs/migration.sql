-- An entry that dies in the relay, because its worker was lost on every try, has its ending written down with it.
grant insert on outbox to fx_relay;
