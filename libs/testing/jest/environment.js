import { constants, createContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** Globals of Node that tests share with it, although each context has its own. */
const sharedWithNode = ['Buffer', 'ArrayBuffer', 'Uint8Array'];
/** Node warns if they are read. */
const storages = ['localStorage', 'sessionStorage'];

/**
 * Jest's environment for Node, with an ordinary global object. Jest's own is a proxy, in which each use of a global such as
 * `Object` takes 400 ns instead of one. Legacy fake timers have no effect.
 */
export default class OrdinaryGlobals extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const jestGlobal = this.global;
    const global = createContext(constants.DONT_CONTEXTIFY);
    for (const name of Reflect.ownKeys(jestGlobal)) {
      if (storages.includes(name) || (Object.hasOwn(global, name) && !sharedWithNode.includes(name))) continue;
      const { enumerable } = Object.getOwnPropertyDescriptor(jestGlobal, name);
      // Reads the globals that Node loads on first use.
      const value = jestGlobal[name];
      Object.defineProperty(global, name, { value, enumerable, configurable: true, writable: true });
    }
    for (const name of ['dispose', 'asyncDispose']) {
      if (!(name in global.Symbol)) Object.defineProperty(global.Symbol, name, { value: Symbol[name] });
    }
    global.global = global;
    global.Error.stackTraceLimit = jestGlobal.Error.stackTraceLimit;
    this.global = global;
    this.context = global;
    this.moduleMocker = new this.moduleMocker.constructor(global);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global });
  }
}
