const colors = ['blue', 'red', 'green', 'orange', 'white', 'teal'];
/** Items to create in each colour, with the price in the first colour. */
const things = [
  { name: 'mug', price: 12.5, description: 'Holds 0.3 l.' },
  { name: 'teapot', price: 34.95, description: 'Holds 1.2 l.' },
  { name: 'bowl', price: 9.9, description: null },
  { name: 'plate', price: 8, description: 'Of 26 cm.' },
  { name: 'vase', price: 24.75, description: null },
  { name: 'jug', price: 19.2, description: 'Holds 1 l.' },
  { name: 'candle', price: 4.35, description: null },
  { name: 'saucer', price: 3, description: null },
];

/** 48 items in six colours. They are constant, because each request's `Idempotency-Key` is constant. */
export const demoItems = things.flatMap(({ name, price, description }) =>
  colors.map((color, index) => ({
    name: `${color.charAt(0).toUpperCase()}${color.slice(1)} ${name}`,
    description,
    color,
    price: Math.round(price * (100 + 10 * index)) / 100,
  })),
);
