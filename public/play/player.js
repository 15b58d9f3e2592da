/*
 * The player of /play/{token}, in the language of old browsers (ECMAScript 5, no modules): it plays a frame's videos in
 * turn, asks for new ones by itself, and goes on with what it has when the network is gone.
 */
(function () {
  'use strict';

  var askEveryMs = 20000;
  var menuMs = 8000;
  var captionMs = 5000;
  /** Held in memory beside what the worker keeps; without a worker, all there is. */
  var memoryBytes = { withWorker: 60e6, alone: 240e6 };
  var nights = [null, [21, 7], [22, 7], [23, 7], [0, 8]];

  var token = location.pathname.split('/').pop();
  var root = document.documentElement;
  var screens = [].slice.call(document.querySelectorAll('.screen'));
  /** Of the two, the one that is seen; the other holds the next video. */
  var front = 0;
  var items = [];
  var giftFrom = null;
  var playing = null;
  var upcoming = null;
  var isPaused = false;
  var isAsleep = false;
  var isEnded = root.className === 'ended';
  var hasWorker = false;
  /** What has not been seen yet goes first. */
  var seen = {};
  /** By address: { url, bytes, usedAt }. */
  var held = {};
  var lastTime = -1;
  var stillFor = 0;

  function byId(id) {
    return document.getElementById(id);
  }
  function mark(name, isOn) {
    var names = root.className.split(/\s+/).filter(function (it) {
      return it && it !== name;
    });
    if (isOn) names.push(name);
    root.className = names.join(' ');
  }
  function remember(name, value) {
    try {
      if (value === undefined) return JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify(value));
    } catch (error) {
      // Private windows and full stores forget; the player plays.
    }
    return null;
  }
  function ask(url, type, done) {
    var call = new XMLHttpRequest();
    call.open('GET', url);
    if (type) call.responseType = type;
    call.timeout = 120000;
    call.onload = function () {
      done(call.status, call);
    };
    call.onerror = call.ontimeout = call.onabort = function () {
      done(0, call);
    };
    call.send();
  }

  // The list.

  function refresh() {
    ask('/api/play/' + token, '', function (status, call) {
      if (status !== 200 && status !== 404) return;
      var answer = {};
      try {
        answer = JSON.parse(call.responseText);
      } catch (error) {
        if (status === 200) return;
      }
      if (status === 404) {
        // The page says by itself that its link has ended; any other reason comes with the answer.
        if (answer.code === 'delivery-withdrawn') document.getElementById('why').textContent = answer.message;
        return end();
      }
      giftFrom = answer.giftFrom;
      take(answer.videos);
    });
  }
  function take(list) {
    var wanted = {};
    list.forEach(function (it) {
      wanted[it.videoUrl] = true;
    });
    var known = remember('play-' + token) || [];
    drop(
      known.filter(function (url) {
        return !wanted[url];
      })
    );
    remember('play-' + token, Object.keys(wanted));
    items = list;
    mark('waits', items.length === 0);
    // What stands ready may have been made again or taken away; and what is new goes before it.
    if (upcoming && (!wanted[upcoming.videoUrl] || seen[upcoming.videoUrl])) upcoming = null;
    prepare();
    store();
  }
  /** The link is ended: nothing stays on this screen. */
  function end() {
    isEnded = true;
    drop((remember('play-' + token) || []).concat(['/api/play/' + token, location.pathname]));
    remember('play-' + token, []);
    Object.keys(held).forEach(release);
    screens.forEach(function (it) {
      it.pause();
      it.removeAttribute('src');
      it.load();
    });
    mark('ended', true);
  }
  function drop(urls) {
    urls.forEach(release);
    if (urls.length > 0 && hasWorker) navigator.serviceWorker.controller.postMessage({ drop: urls });
  }

  // The videos' bytes.

  function release(url) {
    if (!held[url]) return;
    if (held[url].isBlob) URL.revokeObjectURL(held[url].url);
    delete held[url];
  }
  function makeRoom() {
    var most = hasWorker ? memoryBytes.withWorker : memoryBytes.alone;
    var urls = Object.keys(held).sort(function (a, b) {
      return held[a].usedAt - held[b].usedAt;
    });
    var total = urls.reduce(function (sum, url) {
      return sum + held[url].bytes;
    }, 0);
    urls.forEach(function (url) {
      var isOnScreen = (playing && playing.videoUrl === url) || (upcoming && upcoming.videoUrl === url);
      if (total <= most || isOnScreen) return;
      total -= held[url].bytes;
      release(url);
    });
  }
  /** Have a video whole, so that the network may go: answers an address for a screen, or none. */
  function have(item, done) {
    var url = item.videoUrl;
    if (held[url]) {
      held[url].usedAt = Date.now();
      return done(held[url].url);
    }
    if (!window.Blob || !window.URL || !URL.createObjectURL) return done(url);
    ask(url, 'blob', function (status, call) {
      if (status !== 200 || !call.response) return done(null);
      if (!held[url])
        held[url] = {
          url: URL.createObjectURL(call.response),
          isBlob: true,
          bytes: call.response.size,
          usedAt: Date.now(),
        };
      done(held[url].url);
      makeRoom();
    });
  }
  var isStoring = false;
  var stored = {};
  /** Fetch what was never fetched, one after the other: the worker keeps it for when the network is gone. */
  function store() {
    if (isStoring || isEnded) return;
    var next = items.filter(function (it) {
      return !stored[it.videoUrl];
    })[0];
    if (!next) return;
    isStoring = true;
    if (!hasWorker && memoryUsed() + next.sizeBytes > memoryBytes.alone) {
      isStoring = false;
      return;
    }
    have(next, function (url) {
      isStoring = false;
      if (!url) return; // later, with the next list
      stored[next.videoUrl] = true;
      setTimeout(store, 50);
    });
  }
  function memoryUsed() {
    return Object.keys(held).reduce(function (sum, url) {
      return sum + held[url].bytes;
    }, 0);
  }

  // Playing: two screens in turn.

  function placeOf(item) {
    for (var i = 0; i < items.length; i += 1) if (item && items[i].id === item.id) return i;
    return -1;
  }
  /** Candidates for what comes next, best first: what was never seen, then in turn. */
  function candidates(step) {
    var place = placeOf(playing);
    var inTurn = items.map(function (_, i) {
      return items[(((place + step * (i + 1)) % items.length) + items.length) % items.length];
    });
    if (step < 0) return inTurn;
    var unseen = function (it) {
      return !seen[it.videoUrl];
    };
    return inTurn.filter(unseen).concat(
      inTurn.filter(function (it) {
        return seen[it.videoUrl];
      })
    );
  }
  var turn = 0;
  /** Put the next video onto the hidden screen; whatever cannot be had is passed over. */
  function prepare(step, then) {
    if (isEnded || items.length === 0) return;
    if (!then && (upcoming || items.length === 1) && playing) return loopAlone();
    var mine = (turn += 1);
    var left = candidates(step || 1);
    (function tryNext() {
      var item = left.shift();
      if (!item || mine !== turn) return;
      have(item, function (url) {
        if (mine !== turn) return;
        if (!url) return tryNext();
        var back = screens[1 - front];
        back.loop = false;
        if (back.src !== url) back.src = url;
        back.load();
        upcoming = item;
        loopAlone();
        if (then || !playing) change();
      });
    })();
  }
  /** One video alone goes on by itself. */
  function loopAlone() {
    screens[front].loop = items.length === 1;
  }
  /** Show what was prepared. The one before stays in sight until this one moves. */
  function change() {
    if (!upcoming) return prepare(1, true);
    var back = screens[1 - front];
    var before = screens[front];
    var item = upcoming;
    upcoming = null;
    playing = item;
    seen[item.videoUrl] = true;
    front = 1 - front;
    var isSwapped = false;
    var swap = function () {
      if (isSwapped) return;
      isSwapped = true;
      back.removeEventListener('playing', swap);
      back.removeEventListener('timeupdate', swap);
      back.className = 'screen shown';
      before.className = 'screen leaving';
      before.pause();
      mark('asks', false);
      tell(item);
      setTimeout(function () {
        if (screens[front] === back) before.className = 'screen';
        prepare();
      }, 300);
    };
    back.addEventListener('playing', swap);
    back.addEventListener('timeupdate', swap);
    lastTime = -1;
    stillFor = 0;
    if (isPaused) swap();
    else start(back);
  }
  function start(screen) {
    screen.muted = true;
    var promise = screen.play();
    if (promise && promise.catch)
      promise.catch(function (error) {
        if (error && error.name === 'NotAllowedError') mark('asks', true);
      });
  }
  var captionTimer;
  function tell(item) {
    root.setAttribute('data-playing', item.id);
    root.setAttribute('data-videos', String(items.length));
    var caption = byId('caption');
    // Each round begins with whom the present is from.
    var from = giftFrom && placeOf(item) === 0 ? 'From ' + giftFrom : '';
    var words = [item.caption, from].filter(Boolean).join(' · ');
    clearTimeout(captionTimer);
    caption.textContent = words;
    caption.className = words ? 'shown' : '';
    captionTimer = setTimeout(function () {
      caption.className = '';
    }, captionMs);
  }
  function go(step) {
    if (items.length < 2) {
      screens[front].currentTime = 0;
      return;
    }
    upcoming = null;
    prepare(step, true);
  }
  function pause() {
    isPaused = !isPaused;
    byId('pause').textContent = isPaused ? 'Play' : 'Pause';
    if (isPaused) screens[front].pause();
    else start(screens[front]);
  }
  screens.forEach(function (screen) {
    screen.addEventListener('ended', function () {
      if (screen === screens[front] && !isPaused && !isAsleep) change();
    });
    screen.addEventListener('error', function () {
      if (!screen.getAttribute('src') || isEnded) return;
      // Some engines play no bytes from memory: they are given the address itself.
      var item = screen === screens[front] ? playing : upcoming;
      if (item && held[item.videoUrl] && held[item.videoUrl].isBlob) {
        release(item.videoUrl);
        held[item.videoUrl] = { url: item.videoUrl, isBlob: false, bytes: 0, usedAt: Date.now() };
        screen.src = item.videoUrl;
        if (screen === screens[front]) start(screen);
      } else if (screen === screens[front]) setTimeout(change, 2000);
      else upcoming = null;
    });
  });
  /** Whatever stops a video, the frame goes on. */
  function watch() {
    sleepOrWake();
    if (isEnded || isPaused || isAsleep || !playing) return;
    var screen = screens[front];
    stillFor = screen.currentTime === lastTime ? stillFor + 1 : 0;
    lastTime = screen.currentTime;
    if (stillFor === 3 && screen.paused) mark('asks', true); // nothing plays here without a touch
    if (stillFor > 0 && stillFor % 4 === 0) start(screen);
    if (stillFor > 12 && !screen.paused) change();
  }

  // Night.

  var night = remember('play-night');
  function sleepOrWake() {
    // oxlint-disable-next-line no-restricted-properties -- the night of the room that this screen stands in
    var hour = new Date().getHours();
    var sleeps =
      !!night && (night[0] < night[1] ? hour >= night[0] && hour < night[1] : hour >= night[0] || hour < night[1]);
    if (sleeps === isAsleep) return;
    isAsleep = sleeps;
    mark('sleeps', sleeps);
    if (sleeps) screens[front].pause();
    else if (playing && !isPaused) start(screens[front]);
  }
  function hourWords(hour) {
    return (hour % 12 || 12) + (hour < 12 ? ' am' : ' pm');
  }
  function nightWords() {
    byId('night').textContent = night
      ? 'Night: ' + hourWords(night[0]) + ' to ' + hourWords(night[1])
      : 'Night: off';
  }
  function nextNight() {
    var texts = nights.map(function (it) {
      return JSON.stringify(it);
    });
    night = nights[(texts.indexOf(JSON.stringify(night)) + 1) % nights.length];
    remember('play-night', night);
    nightWords();
  }

  // Hands, keys and remote controls.

  var menuTimer;
  function showMenu() {
    mark('with-menu', true);
    mark('idle', false);
    clearTimeout(menuTimer);
    menuTimer = setTimeout(hideMenu, menuMs);
  }
  function hideMenu() {
    mark('with-menu', false);
    mark('idle', true);
    if (document.activeElement && document.activeElement.blur) document.activeElement.blur();
  }
  function moveFocus(by) {
    var buttons = [].slice.call(document.querySelectorAll('#menu button'));
    var at = buttons.indexOf(document.activeElement);
    buttons[(at + by + buttons.length) % buttons.length].focus();
  }
  function fill() {
    var enter =
      root.requestFullscreen || root.webkitRequestFullscreen || root.mozRequestFullScreen || root.msRequestFullscreen;
    var leave =
      document.exitFullscreen ||
      document.webkitExitFullscreen ||
      document.mozCancelFullScreen ||
      document.msExitFullscreen;
    var isFull =
      document.fullscreenElement ||
      document.webkitFullscreenElement ||
      document.mozFullScreenElement ||
      document.msFullscreenElement;
    var promise = isFull ? leave && leave.call(document) : enter && enter.call(root);
    if (promise && promise.catch) promise.catch(function () {});
  }
  function begin() {
    mark('asks', false);
    isPaused = false;
    byId('pause').textContent = 'Pause';
    // A touch opens both screens, for browsers that play nothing without one.
    screens.forEach(function (it) {
      if (it.getAttribute('src')) start(it);
    });
    if (!upcoming) return;
    screens[1 - front].pause();
  }
  var isMenuOpen = function () {
    return / with-menu /.test(' ' + root.className + ' ');
  };
  var onMenu = function () {
    return isMenuOpen() && document.activeElement && document.activeElement.tagName === 'BUTTON';
  };
  /** By key code, which televisions' remotes have too where they have no names. */
  var keys = {
    37: function () {
      if (onMenu()) moveFocus(-1);
      else go(-1);
    },
    39: function () {
      if (onMenu()) moveFocus(1);
      else go(1);
    },
    38: function () {
      showMenu();
      moveFocus(1);
    },
    40: hideMenu,
    27: hideMenu,
    32: pause,
    13: function () {
      if (/ asks /.test(' ' + root.className + ' ')) begin();
      else pause();
    },
    70: fill, // f
    78: nextNight, // n
    // Media keys, and the same of Samsung, LG and Android remotes.
    176: function () {
      go(1);
    },
    177: function () {
      go(-1);
    },
    179: pause,
    415: pause,
    19: pause,
    417: function () {
      go(1);
    },
    412: function () {
      go(-1);
    },
    10252: pause,
  };
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isEnded) return;
    var isPress = event.keyCode === 13 || event.keyCode === 32;
    if (isPress && document.activeElement && document.activeElement.tagName === 'BUTTON') return; // it is pressed
    var act = keys[event.keyCode];
    if (!act) return;
    event.preventDefault();
    act();
  });
  byId('previous').addEventListener('click', function () {
    go(-1);
  });
  byId('next').addEventListener('click', function () {
    go(1);
  });
  byId('pause').addEventListener('click', pause);
  byId('fill').addEventListener('click', fill);
  byId('night').addEventListener('click', nextNight);
  byId('begin').addEventListener('click', function () {
    begin();
    fill();
  });
  byId('menu').addEventListener('click', showMenu);
  byId('stage').addEventListener('click', function () {
    if (isMenuOpen()) hideMenu();
    else showMenu();
  });
  document.addEventListener('mousemove', showMenu);

  // The screen stays awake.

  function stayAwake() {
    if (!navigator.wakeLock || document.visibilityState !== 'visible' || isEnded) return;
    navigator.wakeLock.request('screen').catch(function () {});
  }
  document.addEventListener('visibilitychange', function () {
    stayAwake();
    if (document.visibilityState === 'visible' && playing && !isPaused && !isAsleep) start(screens[front]);
  });

  // The worker that keeps all of it for when the network is gone.

  /** Browsers that enforce Trusted Types take the address of a worker from a policy alone. */
  function workerAddress() {
    var address = '/play/worker.js';
    if (!window.trustedTypes) return address;
    var policy = window.trustedTypes.createPolicy('play-worker', {
      createScriptURL: function () {
        return address;
      },
    });
    return policy.createScriptURL(address);
  }

  function workerIsThere() {
    if (!navigator.serviceWorker.controller || hasWorker) return;
    hasWorker = true;
    stored = {};
    // Once more through its hands: the page and what it needs, the list, and every video.
    [location.pathname, '/play/player.js', '/play/player.css'].forEach(function (url) {
      ask(url, '', function () {});
    });
    Object.keys(held).forEach(function (url) {
      var isOnScreen = (playing && playing.videoUrl === url) || (upcoming && upcoming.videoUrl === url);
      if (!isOnScreen) return release(url);
      ask(url, 'blob', function () {}); // it stays as it is, and the worker has it too
      stored[url] = true;
    });
    refresh();
  }
  if (navigator.serviceWorker && !isEnded) {
    navigator.serviceWorker.addEventListener('controllerchange', workerIsThere);
    navigator.serviceWorker.register(workerAddress(), { scope: '/play/' }).then(workerIsThere, function () {});
  }

  if (isEnded) return end();
  nightWords();
  mark('idle', true);
  mark('waits', true);
  stayAwake();
  refresh();
  setInterval(refresh, askEveryMs);
  setInterval(watch, 1000);
  if (window.addEventListener) window.addEventListener('online', refresh);
})();
