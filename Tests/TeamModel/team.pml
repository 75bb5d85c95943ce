/*
 * A team's roster and one record, small enough to look at every run: Ada, the owner, removes Mallory; Ada and Grace
 * change the record at the same time; Mallory keeps her keys, and works together with the server; the server loses
 * its newest state, or shows any state that it had. The process of Ada or Grace may end at any step, and starts
 * again with what it stored.
 *
 * A change is a number here: what is signed or encrypted can't be forged. One removal renews the team's key from
 * generation 1 to 2, and Mallory has generation 1 alone.
 *
 * Each of these takes out one rule of SyncEngine, and the checker has to find a run that breaks a promise:
 *
 *   -DNO_BINDING   a put does not name the number of the roster's entries
 *   -DNO_RENEWAL   a removal keeps the team's key
 *   -DNO_MEMORY    a device takes over an older roster
 *   -DNO_RETURN    a device does not give a server back what it lost
 *   -DNO_FILTER    changes of Mallory that the removal does not name count
 */

#ifndef CHANGES
#define CHANGES 2
#endif
#ifndef RESTORES
#define RESTORES 1
#endif
#define CRASHES 1

#define ADA 0
#define GRACE 1
#define MALLORY 2

typedef Team {
    byte removal;    /* the entry that removes Mallory; 0 if there is none */
    byte last;       /* her changes that count then */
    byte changes[3]; /* the number of each device's last change in the record */
    byte key         /* the generation under which the record is sealed */
}

Team server;
Team backup;         /* to which it goes back */
Team stored[2];      /* what Ada and Grace have on their disks */
byte acknowledged[2]; /* the number of their last change that they call exchanged */
byte removals;        /* entries that were made */
byte restores;
byte crashes;
bool knew[2];         /* whether a device stored the removal ever */
bool isNoticed;       /* a device saw two entries at one place, and stopped */
bool isQuiet;         /* nothing new happens, and the server is honest */
byte finished;

inline copy(to, from) {
    to.removal = from.removal;
    to.last = from.last;
    to.changes[ADA] = from.changes[ADA];
    to.changes[GRACE] = from.changes[GRACE];
    to.changes[MALLORY] = from.changes[MALLORY];
    to.key = from.key
}

#define sameChanges(a, b) \
    (a.changes[ADA] == b.changes[ADA] && a.changes[GRACE] == b.changes[GRACE] && \
     a.changes[MALLORY] == b.changes[MALLORY])

inline merge(device) {
    if
    :: server.changes[device] > next.changes[device] -> next.changes[device] = server.changes[device]
    :: else
    fi
}

/* SyncEngine.fetch(into:_:_:) */
inline fetch() {
    if
    :: server.removal == 0 && next.removal > 0 ->
#ifdef NO_MEMORY
        next.removal = 0
#else
        server.removal = next.removal;
        server.last = next.last
#endif
    :: server.removal > 0 && next.removal == 0 ->
        next.removal = server.removal;
        next.last = server.last
    :: server.removal > 0 && next.removal > 0 && server.removal != next.removal ->
        isNoticed = true
    :: else
    fi;
    merge(ADA);
    merge(GRACE);
    merge(MALLORY);
#ifndef NO_FILTER
    if
    :: next.removal > 0 && next.changes[MALLORY] > next.last -> next.changes[MALLORY] = next.last
    :: else
    fi;
#endif
    copy(view, server)
}

/* What SyncEngine.exchange(_:change:) gives the server. */
inline put(me) {
    if
    :: !sameChanges(server, view) || server.key != view.key -> isRefused = true
#ifndef NO_BINDING
    :: server.removal != next.removal -> isRefused = true
#endif
    :: else ->
        isRefused = false;
        server.changes[ADA] = next.changes[ADA];
        server.changes[GRACE] = next.changes[GRACE];
        server.changes[MALLORY] = next.changes[MALLORY];
#ifdef NO_RENEWAL
        server.key = 1;
#else
        server.key = (next.removal > 0 -> 2 : 1);
#endif
        /* Nothing is sealed to the keys of Mallory once the server or this device knows the removal. */
        assert((server.removal == 0 && !knew[me]) || server.key > 1)
    fi
}

inline store(me) {
    copy(stored[me], next);
    acknowledged[me] = next.changes[me];
    knew[me] = knew[me] || next.removal > 0
}

inline forget(state) {
    state.removal = 0;
    state.last = 0;
    state.changes[ADA] = 0;
    state.changes[GRACE] = 0;
    state.changes[MALLORY] = 0;
    state.key = 0
}

proctype Device(byte me) {
    Team next;
    Team view;
    bool isRefused = true;
    byte made;
    do
    :: made < CHANGES || isRefused ->
        atomic {
            copy(next, stored[me]);
            fetch()
        };
        if
        :: isNoticed -> break
        :: else
        fi;
        /* What others do in between, they do here: nothing can come between a put and what is stored after it. */
        atomic {
            isRefused = false;
            if
            :: made < CHANGES ->
                made++;
                next.changes[me]++;
                put(me)
            :: me == ADA && next.removal == 0 ->
                /* SyncEngine.remove(_:): only if the server is as it was seen. */
                if
                :: sameChanges(server, view) && server.removal == view.removal && server.key == view.key &&
                    sameChanges(server, next) ->
                    removals++;
                    server.removal = removals;
                    server.last = next.changes[MALLORY];
                    next.removal = server.removal;
                    next.last = server.last
                :: else -> isRefused = true
                fi
#ifndef NO_RETURN
            :: !sameChanges(view, next) -> put(me)
#endif
            :: else
            fi;
            if
            :: isRefused
            :: !isRefused -> store(me)
            :: crashes < CRASHES ->
                crashes++;
                isRefused = true
            fi;
            forget(next);
            forget(view)
        }
    :: else -> break
    od;
    finished++
}

/* Mallory, and the server's doings. */
proctype Hostile() {
    do
    :: atomic { !isQuiet && server.changes[MALLORY] < CHANGES ->
            server.changes[MALLORY]++;
            server.key = 1
        }
    :: atomic { !isQuiet && restores < RESTORES -> copy(backup, server) }
    :: atomic { !isQuiet && restores < RESTORES ->
            restores++;
            copy(server, backup);
            if
            :: restores == RESTORES -> forget(backup)
            :: else
            fi
        }
    :: isQuiet -> break
    od
}

inline exchange(me) {
    copy(next, stored[me]);
    fetch();
    if
    :: !isNoticed ->
#ifdef NO_RETURN
        if
        :: false -> put(me)
        :: else
        fi;
#else
        if
        :: !sameChanges(view, next) -> put(me)
        :: else
        fi;
#endif
        store(me)
    :: else
    fi
}

init {
    Team next;
    Team view;
    bool isRefused;
    atomic {
        server.key = 1;
        backup.key = 1;
        stored[ADA].key = 1;
        stored[GRACE].key = 1;
        run Device(ADA);
        run Device(GRACE);
        run Hostile()
    };
    finished == 2;
    atomic {
        isQuiet = true;
        byte promisedByAda = acknowledged[ADA];
        byte promisedByGrace = acknowledged[GRACE];
        exchange(ADA);
        exchange(GRACE);
        exchange(ADA);
        exchange(GRACE);
        /* Two rosters need an owner who forgot an entry and a server that lost it, and are noticed. */
        assert(!isNoticed || (crashes > 0 && restores > 0));
        assert(isNoticed || (
            sameChanges(stored[ADA], stored[GRACE]) && stored[ADA].removal == stored[GRACE].removal &&
            stored[GRACE].changes[ADA] >= promisedByAda && stored[ADA].changes[GRACE] >= promisedByGrace));
        assert(isNoticed || stored[ADA].removal == 0 || stored[ADA].changes[MALLORY] <= stored[ADA].last)
    }
}
